// A receiver of webhooks with Hono, for Node; in a Worker, export the app instead of serving it.
//   npm install hono @hono/node-server cotizaciones
//   SECRET=… PORT=3000 node receiver.mjs
import { serve } from '@hono/node-server'
import { verifyWebhook } from 'cotizaciones'
import { Hono } from 'hono'

const { SECRET = '', PORT = '3000' } = process.env
const seen = new Set()

const app = new Hono().post('/', async (c) => {
  const result = await verifyWebhook(await c.req.text(), c.req.raw.headers, SECRET)
  if (!result.valid) return c.body(null, 401)

  if (!seen.has(result.deliveryId)) {
    seen.add(result.deliveryId)
    const { currency, origin, prevSell, sell } = result.event
    console.log(`${currency}/${origin} ${prevSell} -> ${sell}`)
  }
  return c.body(null, 204)
})

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(PORT) }, ({ port }) =>
  console.log(`listening on http://127.0.0.1:${port}`),
)
