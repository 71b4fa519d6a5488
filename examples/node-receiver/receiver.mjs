// A receiver of webhooks with Node alone: checks the signature, drops repeats, prints each change.
//   SECRET=… PORT=3000 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

const { SECRET = '', PORT = '3000' } = process.env
const seen = new Set()

function isSigned(timestamp, body, signature) {
  const mac = createHmac('sha256', SECRET).update(`${timestamp}.`).update(body).digest('hex')
  const expected = Buffer.from(`sha256=${mac}`)
  const given = Buffer.from(signature)
  return (
    Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300 &&
    given.length === expected.length &&
    timingSafeEqual(given, expected)
  )
}

const server = createServer(async (request, response) => {
  const body = await buffer(request)
  const { 'x-service-timestamp': timestamp = '', 'x-service-signature': signature = '' } =
    request.headers
  if (!isSigned(timestamp, body, signature)) return response.writeHead(401).end()

  response.writeHead(204).end() // first the answer, then the work
  const id = request.headers['x-service-delivery-id']
  if (seen.has(id)) return
  seen.add(id)
  const { currency, origin, prevSell, sell } = JSON.parse(body)
  console.log(`${currency}/${origin} ${prevSell} -> ${sell}`)
})
server.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}`),
)
