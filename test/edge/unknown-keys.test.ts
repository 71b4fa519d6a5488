import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashKey } from '../../shared/access/api-key.ts'
import { MINUTE_MS, SECOND_MS } from '../../shared/argentine-time.ts'
import { createUnknownKeyLimit, MAX_REMEMBERED } from '../../shared/access/unknown-key-limit.ts'
import { seedAccount } from '../support/accounts.ts'
import { openEdge } from '../support/edge.ts'
import type { env } from '../support/env.ts'
import { art } from '../support/instant.ts'
import { measuredDatabase } from '../support/measured-database.ts'
import { countRows, deleteRows } from '../support/rows.ts'
import { times } from '../support/webhook-client.ts'

const CHECK = '/api/v2/auth/check'
const HISTORY = '/api/v2/usd/blue/history'
const NOW = art('2026-03-02 12:00:15')

/** The platform's limiter saying yes, and how often it was asked. */
function platform(answer: () => Promise<RateLimitOutcome> = async () => ({ success: true })) {
  const keys: string[] = []
  const limit = async ({ key }: RateLimitOptions) => {
    keys.push(key)
    return answer()
  }
  return { keys, UNKNOWN_KEYS: { limit } }
}

function open(options: Partial<typeof env> = {}) {
  const { db: DB, spent, forget } = measuredDatabase()
  const limiter = platform()
  const edge = openEdge({ now: NOW, env: { DB, ...limiter, ...options } })
  const ask = (key: string, ip = '192.0.2.1', path = CHECK) =>
    edge.fetch(path, { headers: { 'x-api-key': key, 'CF-Connecting-IP': ip } })
  /** Asks for so many keys that nobody has; the last status. */
  const guess = async (count: number, ip?: string) => {
    let status = 0
    for (let i = 0; i < count; i++) status = (await ask(`inventada-${i}`, ip)).status
    return status
  }
  return { ask, guess, spent, forget, clock: edge.clock, asked: limiter.keys }
}

describe('a key that nobody has', () => {
  it('is 429 after thirty in a minute, for the rest of it, without asking the database', async () => {
    const { ask, guess, spent, forget, clock } = open()
    expect(await guess(30)).toBe(401)
    expect(spent()).toMatchObject({ roundTrips: 30, rowsWritten: 0 })
    expect(await countRows('privateBudget')).toBe(0)
    forget()
    clock.now += 20 * SECOND_MS
    const refused = await ask('otra', undefined, HISTORY)

    expect(refused.status).toBe(429)
    expect(await refused.json()).toEqual({
      error: 'Demasiadas claves desconocidas desde esta dirección',
    })
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '40',
      'ratelimit-limit': '30',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '40',
      'cache-control': 'no-store',
    })
    expect(spent().roundTrips).toBe(0)

    clock.now = NOW + MINUTE_MS - 1
    expect((await ask('otra')).status).toBe(429)
    clock.now = NOW + MINUTE_MS
    expect(await guess(30)).toBe(401)
    expect(await guess(1)).toBe(429)
  })

  it('counts an IPv6 /64 as one address, however it is written, and no other', async () => {
    const { ask, guess } = open()
    for (let i = 0; i < 30; i++) await ask(`x-${i}`, `2001:db8:5:6::${i.toString(16)}`)
    expect(await guess(1, '2001:0DB8:5:6:ffff::9')).toBe(429)
    expect(await guess(1, '2001:db8:5:7::9')).toBe(401)
    await guess(30, '198.51.100.7')
    expect(await guess(1, '::ffff:198.51.100.7')).toBe(429)
    expect(await guess(1, '::ffff:198.51.100.8')).toBe(401)
  })

  it('counts a mistyped key nowhere', async () => {
    const { key } = await seedAccount()
    const { ask, guess } = open()
    for (let i = 0; i < 40; i++) expect((await ask(`${key.slice(0, -2)}!!`)).status).toBe(401)
    expect(await guess(1)).toBe(401)
  })

  it('is counted by UNKNOWN_KEY_LIMIT', async () => {
    const { guess } = open({ UNKNOWN_KEY_LIMIT: '3' as never })
    expect(await guess(3)).toBe(401)
    expect(await guess(1)).toBe(429)
  })
})

describe('a good key', () => {
  it('is never refused for the unknown ones of its address', async () => {
    const { key } = await seedAccount()
    const { ask, guess, spent, forget } = open()
    for (let i = 0; i < 29; i++) expect((await ask(key)).status).toBe(200)
    expect(await guess(30)).toBe(401)
    expect(await guess(1)).toBe(429)
    forget()
    expect((await ask(key)).status).toBe(200)
    expect(spent().roundTrips).toBe(1)
    // Its own quota is out now, which is no failure of the look-up.
    for (let i = 0; i < 3; i++) expect(await (await ask(key)).text()).toContain('gestión')
  })

  it('is not refused when it comes sixty times at once to a new isolate', async () => {
    const { key } = await seedAccount()
    const { ask } = open()
    for (const { status } of await times(60, () => ask(key, undefined, HISTORY)))
      expect(status).toBe(200)
  })

  it('asks the platform’s limiter for nothing, and is unknown once it is revoked', async () => {
    const { key } = await seedAccount()
    const { ask, guess, spent, forget, asked } = open()
    await ask(key)
    await guess(30)
    expect(asked).toEqual(Array(30).fill('192.0.2.1#0'))
    await deleteRows('apiKeys')
    expect((await ask(key)).status).toBe(401)
    forget()
    expect((await ask(key)).status).toBe(429)
    expect(spent().roundTrips).toBe(0)
  })
})

describe('the platform’s limiter', () => {
  it('shuts an address that other isolates saw guessing', async () => {
    const { guess, clock } = open(platform(async () => ({ success: false })))
    expect(await guess(1)).toBe(401)
    expect(await guess(1)).toBe(429)
    clock.now += MINUTE_MS
    expect(await guess(1)).toBe(401)
  })

  it('shuts nobody out when it fails', async () => {
    const { guess } = open(platform(() => Promise.reject(new Error('down'))))
    expect(await guess(30)).toBe(401)
    expect(await guess(1)).toBe(429)
  })
})

describe('the count', () => {
  const allow = { UNKNOWN_KEY_LIMIT: '3', ...platform() }

  it('remembers a bounded number of addresses and of keys', async () => {
    const limit = createUnknownKeyLimit()
    const look = (client: string, hash: string, isGood: boolean, now = 0) =>
      limit.lookUp(allow, { client, hash, now }, async () => (isGood ? 'key' : null))
    for (let i = 0; i < MAX_REMEMBERED + 50; i++) {
      await look('office', `good ${i}`, true)
      await look(`client ${i}`, 'bad', false)
    }
    expect(limit.size()).toEqual({ clients: MAX_REMEMBERED, good: MAX_REMEMBERED })
    await look('later', 'bad', false, MINUTE_MS)
    expect(limit.size().clients).toBe(1)
  })

  it('is that of a minute begun by the first failure, for any course of events', async () => {
    const step = fc.record({
      wait: fc.integer({ min: 0, max: 40 }),
      client: fc.constantFrom('a', 'b'),
      key: fc.constantFrom('good', 'bad', 'worse'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const limit = createUnknownKeyLimit()
        const failures: Record<string, number[]> = { a: [], b: [] }
        let isGoodKnown = false
        let now = 0
        for (const { wait, client, key } of steps) {
          now += wait * SECOND_MS
          const begun = failures[client]!
          if (begun.length > 0 && now >= begun[0]! + MINUTE_MS) begun.length = 0

          const isShut = begun.length >= 3 && !(key === 'good' && isGoodKnown)
          const presented = { client, hash: await hashKey(key), now }
          const looked = await limit.lookUp(allow, presented, async () =>
            key === 'good' ? key : null,
          )
          expect(looked.ok ? null : looked.refusal).toBe(isShut ? begun[0]! + MINUTE_MS : null)
          if (isShut) continue
          if (key === 'good') isGoodKnown = true
          else begun.push(now)
        }
      }),
    )
  })
})
