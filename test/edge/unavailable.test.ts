import { expect, it, vi } from 'vitest'
import { aroundDatabase } from '../../shared/db/around.ts'
import { seedAccount } from '../support/accounts.ts'
import { openEdge } from '../support/edge.ts'
import { env } from '../support/env.ts'
import { NOON } from '../support/instant.ts'
import { aBoardQuote, seedBoard } from '../support/board.ts'
import { openSite } from '../support/site.ts'
import { aBody, openClient } from '../support/account-client.ts'

/** The real database, which answers the gate and then fails. */
function failingAfterTheGate(): D1Database {
  let calls = 0
  return aroundDatabase(env.DB, (call) =>
    ++calls === 1 ? call() : Promise.reject(new Error('D1_ERROR: secret-sql overloaded')),
  )
}

it.each<[method: string, path: string, body?: object]>([
  ['POST', '/api/v2/webhooks', aBody()],
  ['GET', '/api/v2/usd/blue/history'],
])(
  '%s %s answers 503 without the reason when the database fails after the gate',
  async (...asked) => {
    const client = await openClient({ env: { DB: failingAfterTheGate() } })
    const { status, headers, body } = await client.call(...asked)

    expect([status, headers.get('Retry-After')]).toEqual([503, '10'])
    expect(headers.get('X-Request-Id')).toMatch(/^[\w-]{20,}$/)
    expect(headers.has('RateLimit-Limit')).toBe(true)
    expect(body.error).toMatch(/ en este momento$/)
  },
)

it('an error in our own code answers 500', async () => {
  let made = 0
  const DB = {
    batch: env.DB.batch.bind(env.DB),
    prepare(sql: string) {
      if (++made > 3) throw new TypeError('a mistake')
      return env.DB.prepare(sql)
    },
  }
  const client = await openClient({ env: { DB } })
  const { status, body } = await client.list()
  expect([status, body]).toEqual([500, { error: 'Error interno' }])
})

/** Values that no deployment accepts, but that somebody may set by hand. */
const WRONG = {
  DAILY_PRIVATE_BUDGET: '20.000',
  DATE_READ_LIMIT: 'NaN',
  DELIVERY_CAPACITY: '1e3',
  WEBHOOK_ADMISSION: 'Open',
  UNKNOWN_KEY_LIMIT: '-1',
  MCP_REQUEST_LIMIT: '',
  CLIENT_ADDRESS_HEADER: 'X Real IP',
  PUBLIC_ORIGIN: 'a.example',
  KEY_ENCRYPTION_KEYS: 'k1:short',
}

it.each([
  ['DAILY_PRIVATE_BUDGET', '/api/v2/auth/check'],
  ['UNKNOWN_KEY_LIMIT', '/api/v2/auth/check'],
  ['CLIENT_ADDRESS_HEADER', '/api/v2/auth/check'],
  ['DATE_READ_LIMIT', '/api/v2/date/2026-03-01/usd'],
  ['MCP_REQUEST_LIMIT', '/api/mcp'],
  ['CLIENT_ADDRESS_HEADER', '/api/mcp'],
] as const)(
  'with a wrong %s, %s answers 503 and the log says what is wrong',
  async (name, path) => {
    const { key } = await seedAccount()
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { fetch } = openEdge({ now: NOON, env: { [name]: WRONG[name] } })
    const method = path === '/api/mcp' ? 'POST' : 'GET'
    const response = await fetch(path, { method, headers: { 'x-api-key': key } })

    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '300'])
    const error = 'El servicio no está bien configurado en este momento'
    expect(await response.json()).toEqual({ error })
    expect(log.mock.calls.join()).toContain(`"message":"${name} must be`)
    log.mockRestore()
  },
)

it('current reads and the status answer, whatever else is misconfigured', async () => {
  await seedBoard(NOON, { quotes: [aBoardQuote('USD/BLUE')] })
  const edge = openEdge({ now: NOON, env: WRONG })
  for (const path of ['/api/v2/usd/blue', '/api/usd', '/api/v2/quotes', '/api/v2/status'])
    expect((await edge.fetch(path)).status, path).toBe(200)
})

it('pages answer 503 while PUBLIC_ORIGIN is wrong, so no link leads to another host', async () => {
  const site = openSite({ env: { PUBLIC_ORIGIN: WRONG.PUBLIC_ORIGIN } })
  const response = await site.fetch('/cuenta/entrar')
  expect([response.status, response.headers.has('X-Request-Id')]).toEqual([503, true])
  expect(await response.text()).toContain('El servicio no está bien configurado')
})
