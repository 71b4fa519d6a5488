// A receiver of webhooks with Express 5: express.raw keeps the bytes that were signed.
//   npm install express cotizaciones
//   SECRET=… PORT=3000 node receiver.mjs
import { verifyWebhook } from 'cotizaciones'
import express from 'express'

const { SECRET = '', PORT = '3000' } = process.env
const seen = new Set()
const app = express()

app.post('/', express.raw({ type: 'application/json' }), async (request, response) => {
  const result = await verifyWebhook(request.body, request.headers, SECRET)
  if (!result.valid) return response.sendStatus(401)

  response.sendStatus(204)
  if (seen.has(result.deliveryId)) return
  seen.add(result.deliveryId)
  const { currency, origin, prevSell, sell } = result.event
  console.log(`${currency}/${origin} ${prevSell} -> ${sell}`)
})

const server = app.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}`),
)
