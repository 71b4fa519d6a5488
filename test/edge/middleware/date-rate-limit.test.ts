import { describe, expect, it, vi } from 'vitest'
import { ClientMemory } from '../../../shared/access/client-memory.ts'
import { SECOND_MS } from '../../../shared/argentine-time.ts'
import { openEdge } from '../../support/edge.ts'
import { art } from '../../support/instant.ts'

it('a bounded number of clients is remembered, and those that ended are forgotten', () => {
  const memory = new ClientMemory<number>(10_000, 1000)
  for (let i = 0; i < 100; i++) memory.set(`client ${i}`, i, 0, 21)
  expect(memory.weight).toBe(48 * 21)
  expect(memory.get('client 51', 9_999)).toBeUndefined()
  expect(memory.get('client 52', 9_999)).toBe(52)

  memory.set('later', 0, 10_000, 21)
  expect(memory.weight).toBe(21)
})

/** Reads of one isolate, each from the address that is given. */
function service(variables: object = {}, now = art('2026-03-02 12:00')) {
  const { clock, fetch } = openEdge({ now, env: variables as never })
  const read = (
    ip: string | null,
    path = '2025-12-31/usd/blue',
    method = 'GET',
    headers: Record<string, string> = ip === null ? {} : { 'CF-Connecting-IP': ip },
  ) => fetch(`/api/v2/date/${path}`, { method, headers: { 'X-Real-IP': ip ?? '', ...headers } })
  return { clock, read }
}

async function statuses(read: () => Response | Promise<Response>, times: number) {
  const seen: Record<number, number> = {}
  for (let i = 0; i < times; i++) {
    const { status } = await read()
    seen[status] = (seen[status] ?? 0) + 1
  }
  return seen
}

describe('the date reads', () => {
  it('take 20, then refuse in plain text for ten seconds, then take again', async () => {
    const { clock, read } = service()
    const ip = '198.51.100.1'
    expect(await statuses(() => read(ip), 20)).toEqual({ 200: 20 })

    clock.now += 4_000
    const refused = await read(ip)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    expect(refused.headers.get('Retry-After')).toBe('10')
    expect(refused.headers.get('Cache-Control')).toBe('no-store')
    expect((await read('198.51.100.2')).status).toBe(200)

    clock.now += 8_500
    expect((await read(ip)).headers.get('Retry-After')).toBe('2')
    clock.now += 1_499
    expect((await read(ip)).headers.get('Retry-After')).toBe('1')
    clock.now += 1
    expect((await read(ip)).status).toBe(200)
  })

  it.each([
    [
      'past the limit, then blocked ten seconds',
      [0, 1, 2, 3, 12.999, 13],
      [200, 200, 200, 429, 429, 200],
    ],
    [
      'in any ten seconds, however they fall',
      [0, 9, 9.9, 10, 10.1, 20.1],
      [200, 200, 200, 200, 429, 200],
    ],
    [
      'without prolonging a block by knocking',
      [0, 0, 0, 0, 5, 9.9, 10],
      [200, 200, 200, 429, 429, 429, 200],
    ],
    [
      'and are not fooled by a clock that goes back a little',
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
    // Those without a usable address share one allowance. The last entry of a list is the proxy's own.
    [null, '192.0.2.256', true],
    ['192.0.2.07', '', true],
    ['2001:db8:1:2:3:4:5:6:7', 'fe80::1%eth0', true],
    ['::1]/@', '192.0.2.7', false],
    ['1.1.1.1, 192.0.2.7', '192.0.2.7', true],
  ])('are those of one client from %s and %s: %s', async (one, other, isOne) => {
    const { read } = service({ DATE_READ_LIMIT: '1' })
    expect((await read(one)).status).toBe(200)
    expect((await read(other)).status).toBe(isOne ? 429 : 200)
  })

  it('count HEAD and refused reads too, and those without a usable address together', async () => {
    const { read } = service()
    let i = 0
    const anybody = (path?: string, method?: string) =>
      read(i++ % 2 ? null : `garbage ${i}`, path, method)
    expect(await statuses(() => anybody('2025-02-30'), 8)).toEqual({ 400: 8 })
    expect(await statuses(() => anybody('2025-12-31/xxx'), 8)).toEqual({ 404: 8 })
    expect(await statuses(() => anybody('2025-12-31', 'HEAD'), 5)).toEqual({ 200: 4, 429: 1 })
  })

  it('take what the configuration says, of the header that it names', async () => {
    const { read } = service({ DATE_READ_LIMIT: '90', CLIENT_ADDRESS_HEADER: 'X-Real-IP' })
    expect(await statuses(() => read('198.51.100.11'), 91)).toEqual({ 200: 90, 429: 1 })
    expect((await read('198.51.100.12')).status).toBe(200)
    const headers = { 'CF-Connecting-IP': '198.51.100.13', 'X-Real-IP': '198.51.100.11' }
    expect((await read(null, '2025-12-31', 'GET', headers)).status).toBe(429)
  })

  it('spread over the platform’s keys evenly where the limit is higher than one of them', async () => {
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

  it('ask the platform’s limiter beside the answer: its refusal holds from the next read on', async () => {
    const platform = { limit: async () => ({ success: false }) }
    const { read } = service({ DATE_READS: platform })
    expect((await read('198.51.100.5')).status).toBe(200)
    platform.limit = async () => ({ success: true })
    expect((await read('198.51.100.5')).status).toBe(429)
    expect((await read('198.51.100.7')).status).toBe(200)

    const logged = vi.spyOn(console, 'error')
    platform.limit = () => Promise.reject(new Error('down'))
    expect(await statuses(() => read('198.51.100.6'), 2)).toEqual({ 200: 2 })
    expect(logged.mock.lastCall?.[0]).toContain('"event":"rate_limit_failed"')
    logged.mockRestore()
  })
})
