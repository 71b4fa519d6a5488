/** The limits of the database reads without a key: by operation, and of the date reads. */
import { expect, it, vi } from 'vitest'
import { createBurstLimit } from '../../shared/access/burst-limit.ts'
import { SECOND_MS } from '../../shared/argentine-time.ts'
import { type EdgeBindings, openEdge } from '../support/edge.ts'
import { NOON } from '../support/instant.ts'
import { measuredDatabase } from '../support/measured-database.ts'
import {
  addressOf as exampleAddress,
  type Documented,
  isPrivate,
  operations,
} from '../support/openapi.ts'
import { seedBoard } from '../support/board.ts'
import { tally, times } from '../support/account-client.ts'

const publics = operations.filter((operation) => !isPrivate(operation))
const addressOf = (operation: Documented) =>
  exampleAddress(operation, { date: '2026-03-01', day: '01' }) +
  (operation.operationId === 'convertAmount' ? '&date=2026-03-01' : '')

/** The limit of streams is another: it is about the open ones. */
const limited = publics.filter(
  ({ operationId, responses }) => '429' in responses && operationId !== 'streamQuotes',
)
const isCompatible = ({ path }: Documented) => /^\/v\d/.test(path)
const days = limited.filter(isCompatible).map(addressOf)
const dates = limited.filter((operation) => !isCompatible(operation)).map(addressOf)

it.each(publics.filter((operation) => !limited.includes(operation)))(
  '$operationId has no limit: it reads no database, or once for all requests of an isolate',
  async (operation) => {
    await seedBoard(NOON)
    const { db: DB, spent } = measuredDatabase()
    const edge = openEdge({ now: NOON, env: { COMPATIBILITY: 'on', DB } })
    const ask = async () => (await edge.fetch(addressOf(operation))).body?.cancel()
    await ask()
    const first = spent().roundTrips
    await times(5, ask)
    expect(spent().roundTrips).toBe(first)
    if (!['readStatus', 'readReadiness'].includes(operation.operationId)) expect(first).toBe(0)
  },
)

it.each([
  [20, 10, 'Demasiadas consultas por fecha: esperá unos segundos', dates, days],
  [600, 60, 'Demasiadas consultas de días: esperá un minuto', days, dates],
])(
  '%i requests of an address over all routes, and then 429 for %i seconds: %s',
  async (most, seconds, error, paths, others) => {
    const edge = openEdge({ now: NOON, env: { COMPATIBILITY: 'on' } })
    const ask = (path: string, address = '192.0.2.9') =>
      edge.fetch(path, { headers: { 'CF-Connecting-IP': address } })
    expect(paths.length).toBeGreaterThan(3)
    const answers = await times(most, (number) => ask(paths[number % paths.length]!))
    expect(tally(answers)).not.toHaveProperty('429')

    for (const path of paths) {
      const refused = await ask(path)
      expect([refused.status, await refused.text()]).toEqual([429, error])
      expect(refused.headers.get('Retry-After')).toBe(`${seconds}`)
      expect(refused.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    }
    for (const path of ['/api/v2/convert?amount=1&from=USD&to=ARS', ...others])
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
  },
)

it('of the 400,000 that the limit remembers, a request counts one for ten seconds and a client 20 more', () => {
  const platform = { limit: async () => ({ success: true }) }
  const limit = createBurstLimit({ limitOf: () => 1, platformOf: () => platform })
  const ask = (client: number, now = 0) => {
    const headers = new Headers({ 'CF-Connecting-IP': `10.0.${client >> 8}.${client & 255}` })
    return limit({ headers }, {}, now, { waitUntil: () => {} }) === null
  }
  for (let i = 0; i < 19_500; i++) ask(i)
  expect([ask(19_499, 1), ask(0, 1), ask(19_498, 10_000)]).toEqual([false, true, true])
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

it.each([
  ['then block ten seconds', [0, 1, 2, 3, 12.999, 13], [200, 200, 200, 429, 429, 200]],
  ['in any ten seconds', [0, 9, 9.9, 10, 10.1, 20.1], [200, 200, 200, 200, 429, 200]],
  ['and no knock prolongs a block', [0, 0, 0, 0, 5, 9.9, 10], [200, 200, 200, 429, 429, 429, 200]],
  [
    'by a clock that goes back',
    [10, 10, 10, 9.9, 9.9, 19.8, 19.9],
    [200, 200, 200, 429, 429, 429, 200],
  ],
])('the date reads take three %s', async (_, seconds, expected) => {
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
])('the date reads from %s and %s count as those of one client: %s', async (one, other, isOne) => {
  const { read } = service({ DATE_READ_LIMIT: '1' })
  expect((await read(one)).status).toBe(200)
  expect((await read(other)).status).toBe(isOne ? 429 : 200)
})

it('the date reads count HEAD and refused reads too, and count clients without a usable address as one', async () => {
  const { read } = service()
  let i = 0
  const anybody = (path?: string, method?: string) =>
    read(i++ % 2 ? null : `garbage ${i}`, path, method)
  expect(tally(await times(8, () => anybody('2025-02-30')))).toEqual({ 400: 8 })
  expect(tally(await times(8, () => anybody('2025-12-31/xxx')))).toEqual({ 404: 8 })
  expect(tally(await times(5, () => anybody('2025-12-31', 'HEAD')))).toEqual({ 200: 4, 429: 1 })
})

it('the date reads use the configured limit, and the address in the configured header', async () => {
  const { read } = service({ DATE_READ_LIMIT: '90', CLIENT_ADDRESS_HEADER: 'X-Real-IP' })
  expect(tally(await times(91, () => read('198.51.100.11')))).toEqual({ 200: 90, 429: 1 })
  expect((await read('198.51.100.12')).status).toBe(200)
  const headers = { 'CF-Connecting-IP': '198.51.100.13', 'X-Real-IP': '198.51.100.11' }
  expect((await read(null, '2025-12-31', 'GET', headers)).status).toBe(429)
})

it('the date reads are spread evenly over the platform’s keys when the limit is higher than that of one key', async () => {
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

it('the date reads call the platform’s limiter without delaying the answer: its refusal applies from the next read on', async () => {
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
