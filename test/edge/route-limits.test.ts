/** Every route without a key, and the limit of its database reads. */
import { describe, expect, it, vi } from 'vitest'
import { createBurstLimit } from '../../shared/access/burst-limit.ts'
import { randomBytes } from '../../tools/support/random.ts'
import { SECOND_MS } from '../../shared/argentine-time.ts'
import { createApp } from '../../workers/edge/app.ts'
import { CURRENT_READS } from '../../workers/edge/routes/current.ts'
import { type EdgeBindings, openEdge } from '../support/edge.ts'
import { art } from '../support/instant.ts'
import { measuredDatabase } from '../support/measured-database.ts'
import { seedBoard } from '../support/board.ts'
import { tally, times } from '../support/account-client.ts'

const NOON = art('2026-03-02 12:00')
const DAY = ':year{[0-9]{4}}/:month{[0-9]{2}}/:day{[0-9]{2}}'

/** After this many requests of an address: 429. */
const DATES = 20
const DAYS = 600
/** One request reads the database for the whole isolate. */
const SHARED = 'shared'
const NO_DATABASE = 'no database'

/** For each route: an address, and its limit. */
const LIMITS: Record<string, [path: string, limit: number | typeof SHARED | typeof NO_DATABASE]> = {
  '/api/v2/status': ['/api/v2/status', SHARED],
  '/api/v2/ready': ['/api/v2/ready', SHARED],
  '/api/v2/stream': ['/api/v2/stream?pairs=usd/blue', NO_DATABASE],
  '/api/v2/date/:date': ['/api/v2/date/2026-03-01', DATES],
  '/api/v2/date/:date/:currency': ['/api/v2/date/2026-03-01/usd', DATES],
  '/api/v2/date/:date/:currency/:origin': ['/api/v2/date/2026-03-01/usd/blue', DATES],
  '/api/v2/invoicing': ['/api/v2/invoicing', DATES],
  '/api/v2/invoicing/:currency': ['/api/v2/invoicing/usd', DATES],
  '/api/v2/convert': ['/api/v2/convert?amount=1&from=USD&to=ARS&date=2026-03-01', DATES],
  [`/v1/cotizaciones/dolares/${DAY}`]: ['/v1/cotizaciones/dolares/2026/03/01', DAYS],
  [`/v1/cotizaciones/dolares/:casa/${DAY}`]: ['/v1/cotizaciones/dolares/blue/2026/03/01', DAYS],
  [`/v1/cotizaciones/:moneda/${DAY}`]: ['/v1/cotizaciones/eur/2026/03/01', DAYS],
  '/v2/historical': ['/v2/historical?day=2026-03-01', DAYS],
  '/v1/dolares': ['/v1/dolares', NO_DATABASE],
  '/v1/dolares/:casa': ['/v1/dolares/blue', NO_DATABASE],
  '/v1/ambito/dolares': ['/v1/ambito/dolares', NO_DATABASE],
  '/v1/ambito/dolares/:casa': ['/v1/ambito/dolares/bna', NO_DATABASE],
  '/v1/cotizaciones': ['/v1/cotizaciones', NO_DATABASE],
  '/v1/cotizaciones/:moneda': ['/v1/cotizaciones/eur', NO_DATABASE],
  '/v1/estado': ['/v1/estado', NO_DATABASE],
  '/v1/finanzas/indices/riesgo-pais/ultimo': [
    '/v1/finanzas/indices/riesgo-pais/ultimo',
    NO_DATABASE,
  ],
  '/v2/latest': ['/v2/latest', NO_DATABASE],
  '/v1/cotizaciones/dolares': ['/v1/cotizaciones/dolares', NO_DATABASE],
  '/v1/cotizaciones/dolares/:casa': ['/v1/cotizaciones/dolares/blue', NO_DATABASE],
  '/v1/finanzas/indices/riesgo-pais': ['/v1/finanzas/indices/riesgo-pais', NO_DATABASE],
  '/v1/finanzas/indices/uva': ['/v1/finanzas/indices/uva', NO_DATABASE],
  '/v2/evolution.json': ['/v2/evolution.json', NO_DATABASE],
  '/v2/evolution.csv': ['/v2/evolution.csv', NO_DATABASE],
  '/datos/archivos.json': ['/datos/archivos.json', NO_DATABASE],
  '/datos/SHA256SUMS': ['/datos/SHA256SUMS', NO_DATABASE],
  '/datos/:name': ['/datos/cotizaciones.csv', NO_DATABASE],
}

const site = async () => new Response()

it('the table of limits has every route without a key', () => {
  const { routes } = createApp({ now: () => NOON, random: randomBytes, site })
  const gates = routes.filter(({ handler }) => handler.name === 'apiKey').map(({ path }) => path)
  const isGated = (path: string) =>
    gates.some(
      (gate) => gate === path || (gate.endsWith('/*') && path.startsWith(gate.slice(0, -2))),
    )
  const ofBoard = new Set(CURRENT_READS.keys())
  const open = routes.filter(
    ({ method, path }) => method !== 'ALL' && !isGated(path) && !ofBoard.has(path),
  )
  // MCP has its own limit, and its date reads have that of the API (mcp.test.ts).
  const known = new Set([...Object.keys(LIMITS), '/api/mcp'])
  expect(new Set(open.map(({ path }) => path))).toEqual(known)
})

const free = Object.entries(LIMITS).filter(([, [, limit]]) => typeof limit === 'string')

it.each(free)('%s: %j', async (_, [path, limit]) => {
  await seedBoard(NOON)
  const { db: DB, spent } = measuredDatabase()
  const edge = openEdge({ now: NOON, env: { COMPATIBILITY: 'on', DB } })
  const ask = async () => (await edge.fetch(path)).body?.cancel()
  await ask()
  const first = spent().roundTrips
  for (let sent = 1; sent < 5; sent++) await ask()
  expect(spent().roundTrips).toBe(limit === SHARED ? first : 0)
})

it.each([
  [DATES, 10, 'Demasiadas consultas por fecha: esperá unos segundos'],
  [DAYS, 60, 'Demasiadas consultas de días: esperá un minuto'],
])('%i requests of an address over all routes, and then 429 for %i seconds', async (...limit) => {
  const [most, seconds, error] = limit
  const edge = openEdge({ now: NOON, env: { COMPATIBILITY: 'on' } })
  const ask = (path: string, address = '192.0.2.9') =>
    edge.fetch(path, { headers: { 'CF-Connecting-IP': address } })
  const paths = Object.values(LIMITS).flatMap(([path, limit]) => (limit === most ? [path] : []))
  const answers = await times(most, (number) => ask(paths[number % paths.length]!))
  expect(tally(answers)).not.toHaveProperty('429')

  for (const path of paths) {
    const refused = await ask(path)
    expect([refused.status, await refused.text()]).toEqual([429, error])
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': `${seconds}`,
      'content-type': 'text/plain; charset=utf-8',
    })
  }
  const others = Object.values(LIMITS).filter(
    ([, limit]) => typeof limit === 'number' && limit !== most,
  )
  for (const path of ['/api/v2/convert?amount=1&from=USD&to=ARS', ...others.map(([path]) => path)])
    expect((await ask(path)).status, path).not.toBe(429)
  expect((await ask(paths[0]!, '192.0.2.10')).status).not.toBe(429)
  for (const [left, retryAfter] of [
    [1500, '2'],
    [1, '1'],
    [0, null],
  ] as const) {
    edge.clock.now = NOON + seconds * SECOND_MS - left
    expect((await ask(paths[0]!)).headers.get('Retry-After')).toBe(retryAfter)
  }
})

/** A burst limit alone, called for any client at any time. */
function burst(limit: number) {
  const admit = createBurstLimit()
  const platform = { limit: async () => ({ success: true }) }
  const rule = { limit, platform, keyOf: (client: string) => client }
  return (client: string, now: number) =>
    admit(rule, { client, now, context: { waitUntil: () => {} } }).allowed
}

it('a request counts for ten seconds, and a client weighs 20 more of the 400,000 remembered', () => {
  const ask = burst(1)
  for (let i = 0; i < 19_500; i++) ask(`client ${i}`, 0)
  expect([ask('client 19499', 1), ask('client 0', 1)]).toEqual([false, true])
  expect(ask('client 19498', 10_000)).toBe(true)
})

/** Reads of one isolate, each from the given address. */
function service(variables: EdgeBindings = {}) {
  const { clock, fetch } = openEdge({ now: NOON, env: variables })
  const read = (
    ip: string | null,
    path = '2025-12-31/usd/blue',
    method = 'GET',
    headers: Record<string, string> = ip === null ? {} : { 'CF-Connecting-IP': ip },
  ) => fetch(`/api/v2/date/${path}`, { method, headers: { 'X-Real-IP': ip ?? '', ...headers } })
  return { clock, read }
}

describe('the date reads', () => {
  it.each([
    ['then block ten seconds', [0, 1, 2, 3, 12.999, 13], [200, 200, 200, 429, 429, 200]],
    ['in any ten seconds', [0, 9, 9.9, 10, 10.1, 20.1], [200, 200, 200, 200, 429, 200]],
    [
      'and no knock prolongs a block',
      [0, 0, 0, 0, 5, 9.9, 10],
      [200, 200, 200, 429, 429, 429, 200],
    ],
    [
      'by a clock that goes back',
      [10, 10, 10, 9.9, 9.9, 19.8, 19.9],
      [200, 200, 200, 429, 429, 429, 200],
    ],
  ])('take three %s', async (_, seconds, expected) => {
    const { clock, read } = service({ DATE_READ_LIMIT: '3' })
    const begin = clock.now
    for (const [index, second] of seconds.entries()) {
      clock.now = begin + second * SECOND_MS
      expect((await read('198.51.100.3')).status).toBe(expected[index])
    }
  })

  it.each([
    ['192.0.2.7', '::FFFF:c000:0207', true],
    ['192.0.2.7', '0:0:0:0:0:ffff:192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['2001:db8:1:2:3:4:5:6', '2001:0DB8:0001:0002::1', true],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::1.2.3.4', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    // Clients without a usable address share a limit. The proxy itself adds the last entry of a
    // list.
    [null, '192.0.2.256', true],
    ['192.0.2.07', '', true],
    ['2001:db8:1:2:3:4:5:6:7', 'fe80::1%eth0', true],
    ['::1]/@', '192.0.2.7', false],
    ['1.1.1.1, 192.0.2.7', '192.0.2.7', true],
    // Azure's gateway adds the port.
    ['192.0.2.7:40000', '192.0.2.7', true],
    ['192.0.2.7:40000', '192.0.2.8:40000', false],
    ['[2001:db8:1:2::1]:40000', '2001:db8:1:2::9', true],
    ['1.1.1.1, [2001:db8:1:2::1]', '[2001:db8:1:3::1]:80', false],
  ])('are those of one client from %s and %s: %s', async (one, other, isOne) => {
    const { read } = service({ DATE_READ_LIMIT: '1' })
    expect((await read(one)).status).toBe(200)
    expect((await read(other)).status).toBe(isOne ? 429 : 200)
  })

  it('count HEAD and refused reads too, and count clients without a usable address as one', async () => {
    const { read } = service()
    let i = 0
    const anybody = (path?: string, method?: string) =>
      read(i++ % 2 ? null : `garbage ${i}`, path, method)
    expect(tally(await times(8, () => anybody('2025-02-30')))).toEqual({ 400: 8 })
    expect(tally(await times(8, () => anybody('2025-12-31/xxx')))).toEqual({ 404: 8 })
    expect(tally(await times(5, () => anybody('2025-12-31', 'HEAD')))).toEqual({ 200: 4, 429: 1 })
  })

  it('use the configured limit, and the address in the configured header', async () => {
    const { read } = service({ DATE_READ_LIMIT: '90', CLIENT_ADDRESS_HEADER: 'X-Real-IP' })
    expect(tally(await times(91, () => read('198.51.100.11')))).toEqual({ 200: 90, 429: 1 })
    expect((await read('198.51.100.12')).status).toBe(200)
    const headers = { 'CF-Connecting-IP': '198.51.100.13', 'X-Real-IP': '198.51.100.11' }
    expect((await read(null, '2025-12-31', 'GET', headers)).status).toBe(429)
  })

  it('are spread evenly over the platform’s keys when the limit is higher than that of one key', async () => {
    const keys = new Map<string, number>()
    const limit = async ({ key }: RateLimitOptions) => {
      keys.set(key, (keys.get(key) ?? 0) + 1)
      return { success: true }
    }
    const { clock, read } = service({ DATE_READ_LIMIT: '40', DATE_READS: { limit } })
    for (let i = 0; i < 80; i++) {
      clock.now += 250
      expect((await read('198.51.100.14')).status).toBe(200)
    }
    expect([...keys.values()]).toEqual([40, 40])
  })

  it('call the platform’s limiter without delaying the answer: its refusal applies from the next read on', async () => {
    const platform = { limit: async () => ({ success: false }) }
    const { read } = service({ DATE_READS: platform })
    expect((await read('198.51.100.5')).status).toBe(200)
    platform.limit = async () => ({ success: true })
    expect((await read('198.51.100.5')).status).toBe(429)
    expect((await read('198.51.100.7')).status).toBe(200)

    const logged = vi.spyOn(console, 'error')
    platform.limit = () => Promise.reject(new Error('down'))
    expect(tally(await times(2, () => read('198.51.100.6')))).toEqual({ 200: 2 })
    expect(logged.mock.lastCall?.[0]).toContain('"event":"rate_limit_failed"')
    logged.mockRestore()
  })
})
