// Receives webhooks with Node alone: checks the signature, drops repeats, prints each change.
//   SECRET=… PORT=3000 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

const { SECRET = '', PORT = '3000' } = process.env
const seen = new Set()

function isSigned(id, timestamp, body, signature) {
  const hmac = createHmac('sha256', SECRET).update(`${id}.${timestamp}.`).update(body)
  const expected = Buffer.from(`v1,${hmac.digest('base64')}`)
  const given = Buffer.from(signature)
  return (
    Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300 &&
    given.length === expected.length &&
    timingSafeEqual(given, expected)
  )
}

const server = createServer(async (request, response) => {
  const body = await buffer(request)
  const id = request.headers['webhook-id'] ?? ''
  const timestamp = request.headers['webhook-timestamp'] ?? ''
  const signature = request.headers['webhook-signature'] ?? ''
  if (!isSigned(id, timestamp, body, signature)) return response.writeHead(401).end()

  response.writeHead(204).end() // first the answer, then the work
  if (seen.has(id)) return
  seen.add(id)
  const { currency, origin, prevSell, sell } = JSON.parse(body)
  console.log(`${currency}/${origin} ${prevSell} -> ${sell}`)
})
server.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}`),
)
