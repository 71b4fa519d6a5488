// The baseline of the edge: the same bytes and headers, from memory through Hono.
import { Hono } from 'hono'

const body = JSON.stringify({
  currency: 'USD',
  name: 'Dólar Blue',
  origin: 'BLUE',
  buy: 1410,
  sell: 1430,
  updatedAt: '2026-03-02T11:55:00.000-03:00',
  lastScrapedAt: '2026-03-02T12:00:00.000-03:00',
  valueType: 'money',
  change: { amount: 0, percent: 0, referenceValue: 1430 },
})
const headers = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
  'Content-Type': 'application/json',
  'Cache-Control': 'public, max-age=60',
  Vary: 'Accept',
  ETag: '"15m32izogfm9ipm7g3o5i"',
}

export default new Hono().get('/api/v2/:currency/:origin', (c) => c.body(body, 200, headers))
