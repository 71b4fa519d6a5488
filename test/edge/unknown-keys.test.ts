import { expect, it } from 'vitest'
import { MINUTE_MS, SECOND_MS } from '../../shared/argentine-time.ts'
import { seedAccount } from '../support/accounts.ts'
import { type EdgeBindings, openEdge } from '../support/edge.ts'
import { art } from '../support/instant.ts'
import { measuredDatabase } from '../support/measured-database.ts'
import { countRows, deleteRows } from '../support/rows.ts'

const CHECK = '/api/v2/auth/check'
const HISTORY = '/api/v2/usd/blue/history'
const NOW = art('2026-03-02 12:00:15')

/** A platform limiter that accepts, and the number of its calls. */
function platform(answer: () => Promise<RateLimitOutcome> = async () => ({ success: true })) {
  const keys: string[] = []
  const limit = async ({ key }: RateLimitOptions) => {
    keys.push(key)
    return answer()
  }
  return { keys, UNKNOWN_KEYS: { limit } }
}

function open(options: EdgeBindings = {}) {
  const { db: DB, spent, forget } = measuredDatabase()
  const limiter = platform()
  const edge = openEdge({ now: NOW, env: { DB, ...limiter, ...options } })
  const ask = (key: string, ip = '2001:db8:5:6::1', path = CHECK) =>
    edge.fetch(path, { headers: { 'x-api-key': key, 'CF-Connecting-IP': ip } })
  /** Sends `count` unknown keys from one IPv6 /64. Returns the last status. */
  const guess = async (count: number, network = '2001:db8:5:6') => {
    let status = 0
    for (let i = 0; i < count; i++)
      status = (await ask(`inventada-${i}`, `${network}::${i.toString(16)}`)).status
    return status
  }
  return { ask, guess, spent, forget, clock: edge.clock, asked: limiter.keys }
}

it('after thirty unknown keys in a minute an address gets 429 for further ones until it ends, without the database', async () => {
  const { key } = await seedAccount()
  const { ask, guess, spent, forget, clock } = open()
  for (let i = 0; i < 40; i++) await ask('mistyped key')
  expect(await guess(1)).toBe(401)
  clock.now += 10 * SECOND_MS
  expect(await guess(29)).toBe(401)
  expect(spent()).toMatchObject({ roundTrips: 30, rowsWritten: 0 })
  expect(await countRows('privateBudget')).toBe(0)
  forget()
  clock.now += 10 * SECOND_MS
  expect((await ask(key)).status).toBe(429)
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
  })
  expect(spent().roundTrips).toBe(0)

  expect(await guess(1, '2001:db8:5:7')).toBe(401)
  clock.now += 40 * SECOND_MS
  expect((await ask(key)).status).toBe(200)
})

it('a good key needs no call of the platform’s limiter, and counts as unknown once it is revoked', async () => {
  const { key } = await seedAccount()
  const { ask, guess, spent, forget, asked } = open()
  // An exhausted quota is no failure of the look-up.
  for (let i = 0; i < 31; i++) await ask(key)
  expect(await (await ask(key)).text()).toContain('gestión')
  await guess(30)
  expect(asked).toEqual(Array(30).fill('2001:db8:5:6::/64#0'))
  await deleteRows('apiKeys')
  expect((await ask(key)).status).toBe(401)
  forget()
  expect((await ask(key)).status).toBe(429)
  expect(spent().roundTrips).toBe(0)
})

it('the platform’s limiter refuses an address that guessed keys in other isolates', async () => {
  const { guess, clock } = open(platform(async () => ({ success: false })))
  expect(await guess(1)).toBe(401)
  expect(await guess(1)).toBe(429)
  clock.now += MINUTE_MS
  expect(await guess(1)).toBe(401)
})
