import { expect, it } from 'vitest'
import { aroundDatabase } from '../../shared/db/around.ts'
import { seedAccount } from '../support/accounts.ts'
import { openEdge } from '../support/edge.ts'
import { env } from '../support/env.ts'
import { art } from '../support/instant.ts'

/** The real database, which answers the gate and fails from then on. */
function failingAfterTheGate(): D1Database {
  let calls = 0
  return aroundDatabase(env.DB, (call) =>
    ++calls === 1 ? call() : Promise.reject(new Error('D1_ERROR: secret-sql overloaded')),
  )
}

const CREATE = {
  operationId: '0198a6c0-0000-4000-8000-000000000002',
  url: 'https://example.com/hook',
  currency: 'USD',
  origin: 'BLUE',
}

it.each<[method: string, path: string, body?: object]>([
  ['GET', '/api/v2/webhooks'],
  ['POST', '/api/v2/webhooks', CREATE],
  ['GET', '/api/v2/webhooks/deliveries'],
  ['GET', '/api/v2/usd/blue/history'],
  ['GET', '/api/v2/history/usd/blue'],
])('%s %s with a database that fails after the gate: 503, without the reason', async (...asked) => {
  const [method, path, body] = asked
  const { key } = await seedAccount()
  const DB = failingAfterTheGate()
  const open = { DB, WEBHOOK_ADMISSION: 'open' as never }
  const response = await openEdge({ now: art('2026-03-02 12:00'), env: open }).fetch(path, {
    method,
    headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })

  expect(response.status).toBe(503)
  expect(response.headers.get('Retry-After')).toBe('10')
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(response.headers.has('RateLimit-Limit')).toBe(true)
  expect((await response.json<{ error: string }>()).error).toMatch(/ en este momento$/)
})

it('a mistake of ours stays a 500', async () => {
  const { key } = await seedAccount()
  let made = 0
  const DB = {
    batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
    prepare(sql: string) {
      if (++made > 3) throw new TypeError('a mistake')
      return env.DB.prepare(sql)
    },
  } as unknown as D1Database
  const edge = openEdge({ now: art('2026-03-02 12:00'), env: { DB } })
  const response = await edge.fetch('/api/v2/webhooks', { headers: { 'x-api-key': key } })
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({ error: 'Error interno' })
})
