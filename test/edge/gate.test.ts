import { expect, it } from 'vitest'
import { hashKey } from '../../shared/access/api-key.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/argentine-time.ts'
import { rotateKey } from '../../shared/db/accounts.ts'
import { seedAccount, seedKey } from '../support/accounts.ts'
import { failing } from '../support/faulty-database.ts'
import { openEdge } from '../support/edge.ts'
import { env } from '../support/env.ts'
import { art } from '../support/instant.ts'
import { randomBytes as random } from '../../tools/support/random.ts'
import { changeRows, deleteRows, readRows } from '../support/rows.ts'
import { tally, times } from '../support/account-client.ts'

const CHECK = '/api/v2/auth/check'
const HISTORY = '/api/v2/usd/blue/history'

/** 12:00:15 in Argentina: 45 s to the next minute, 8 h 59 min 45 s to the next UTC day. */
const NOW = art('2026-03-02 12:00:15')
const SECONDS_TO_DAY = String(9 * 3600 - 15)

/** The key with its last character wrong. */
const mistyped = (key: string) => key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A')

/** An edge with one key, and functions that send requests with it. */
async function open(options: { now?: number; budget?: number | string; DB?: D1Database } = {}) {
  const { key, accountId, record } = await seedAccount()
  const { now = NOW, budget, ...bindings } = options
  const variables = budget === undefined ? {} : { DAILY_PRIVATE_BUDGET: String(budget) }
  const edge = openEdge({ now, env: { ...bindings, ...variables } })
  const ask = (path = HISTORY, secret = key) =>
    edge.fetch(path, { headers: { Authorization: `Bearer ${secret}` } })
  /** Sends many requests at once, and counts their statuses. */
  const flood = async (count: number, path?: string, secret?: string) =>
    tally(await times(count, () => ask(path, secret)))
  const newKey = async () => (await seedKey(accountId)).key
  const rotate = async () => {
    const rotation = { accountId, keyId: record.id, seenPrefix: record.prefix, random }
    const rotated = await rotateKey(env.DB, rotation)
    if (!rotated.ok) throw new Error(rotated.refusal)
    return rotated.value.key
  }
  return { key, edge, ask, flood, newKey, rotate, clock: edge.clock }
}

const counters = async () => ({
  keys: (await readRows('apiKeys')).map(({ quotaUsed, quotaManaged }) => [quotaUsed, quotaManaged]),
  day: (await readRows('privateBudget'))[0]?.used ?? 0,
})

it.each<[what: string, lines: (key: string, hash: string) => string[], path?: string]>([
  ['none', () => []],
  ['a key that nobody has', () => ['x-api-key: inventada']],
  ['an empty Authorization', () => ['Authorization: ']],
  ['a key without a scheme', (key) => [`Authorization: ${key}`]],
  ['another scheme and a key', (key) => [`Authorization: Basic ${key}`, `x-api-key: ${key}`]],
  ['an empty Authorization and a key', (key) => ['Authorization: ', `x-api-key: ${key}`]],
  ['an empty x-api-key and a key', (key) => [`Authorization: Bearer ${key}`, 'x-api-key: ']],
  ['two keys', (key) => [`Authorization: Bearer ${key}`, `x-api-key: ${key}x`]],
  ['Authorization twice', (key) => Array<string>(2).fill(`Authorization: Bearer ${key}`)],
  ['x-api-key twice', (key) => Array<string>(2).fill(`x-api-key: ${key}`)],
  ['words after the key', (key) => [`Authorization: Bearer ${key} x`]],
  ['a tab for the space', (key) => [`Authorization: Bearer\t${key}`]],
  ['a key in a cookie', (key) => [`Cookie: session=${key}; x-api-key=${key}`]],
  ['the key in the other case', (key) => [`x-api-key: ${key.toLowerCase()}`]],
  ['the stored hash', (_, hash) => [`x-api-key: ${hash}`]],
  ['a key in the query', () => [], '?api_key=KEY&x-api-key=KEY&key=KEY&access_token=KEY'],
])('%s: the gate answers 401 and counts nothing', async (_, lines, query = '') => {
  const { key, edge } = await open()
  const headers = new Headers()
  for (const line of lines(key, await hashKey(key))) {
    const [name, value] = line.split(': ') as [string, string]
    headers.append(name, value)
  }
  const response = await edge.fetch(CHECK + query.replaceAll('KEY', key), { headers })

  expect(response.status).toBe(401)
  expect(await response.text()).toBe('{"error":"No autorizado"}')
  expect(response.headers.has('RateLimit-Limit')).toBe(false)
  expect(await counters()).toEqual({ keys: [[0, 0]], day: 0 })
})

it('keys with a typing error are refused without the database; while the database fails no key is admitted', async () => {
  const { key, ask } = await open({ DB: failing('no debe ser leída') })

  expect((await ask(CHECK, mistyped(key))).status).toBe(401)
  const failed = await ask(CHECK)
  expect([failed.status, failed.headers.get('Retry-After')]).toEqual([503, '10'])
  const error = 'No es posible verificar la clave en este momento'
  expect(await failed.json()).toEqual({ error })
})

it.each([
  ['Authorization', (key: string) => ({ authorization: `bearer   ${key}` })],
  ['x-api-key', (key: string) => ({ 'x-api-key': key })],
  ['both', (key: string) => ({ 'X-API-Key': key, AUTHORIZATION: `BEARER ${key}` })],
])(
  'keys in %s are accepted; a request with another method is not counted',
  async (_, headersOf) => {
    const { key, edge } = await open()
    const headers = headersOf(key)
    expect((await edge.fetch(CHECK, { method: 'POST', headers })).status).toBe(405)
    const response = await edge.fetch(CHECK, { headers })
    expect(await response.json()).toEqual({ valid: true })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'ratelimit-limit': '30',
      'ratelimit-remaining': '29',
      'ratelimit-reset': '45',
    })
    const head = await edge.fetch(CHECK, { method: 'HEAD', headers })
    expect([head.status, await head.text()]).toEqual([200, ''])
  },
)

it.each(['v1-token', 'sk/live+AB==', "o'hara;--"])(
  'the gate accepts the inherited key %s',
  async (key) => {
    const { ask } = await open({ now: art('2026-03-02 23:30') })
    await changeRows('apiKeys', { hash: await hashKey(key), inherited: true })
    expect((await ask(CHECK, key)).status).toBe(200)
    expect(await readRows('apiKeys')).toMatchObject([{ lastUsedDay: '2026-03-02' }])
  },
)

it('a revoked key and the old secret of a rotated key are refused', async () => {
  const { ask, rotate } = await open()
  expect((await ask(CHECK)).status).toBe(200)

  const rotated = await rotate()
  expect((await ask(CHECK)).status).toBe(401)
  expect((await ask(CHECK, rotated)).status).toBe(200)
  await deleteRows('apiKeys')
  expect((await ask(CHECK, rotated)).status).toBe(401)
})

it('the minute of a key admits exactly 60 of 200 simultaneous requests, and tells the others when the next minute begins', async () => {
  const { ask, flood, clock } = await open()
  expect(await flood(200)).toEqual({ 200: 60, 429: 140 })
  expect(await counters()).toEqual({ keys: [[60, 0]], day: 60 })

  const response = await ask()
  expect(await response.json()).toEqual({ error: 'Se agotó la cuota por minuto de la clave' })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'retry-after': '45',
    'ratelimit-limit': '60',
    'ratelimit-remaining': '0',
    'ratelimit-reset': '45',
  })
  // It begins again with the UTC minute, not before.
  clock.now += 45_000 - 1
  expect((await ask()).headers.get('Retry-After')).toBe('1')
  clock.now += 1
  expect(await flood(70)).toEqual({ 200: 60, 429: 10 })
})

it('the minute of a key admits exactly 30 of 200 simultaneous key checks, and then 30 other requests', async () => {
  const { ask, flood } = await open()
  expect(await flood(200, CHECK)).toEqual({ 200: 30, 429: 170 })
  expect(await counters()).toEqual({ keys: [[30, 30]], day: 30 })
  const managed = await ask(CHECK)
  expect(managed.headers.get('RateLimit-Limit')).toBe('30')
  const error = 'Se agotó la cuota por minuto de gestión de la clave'
  expect(await managed.json()).toEqual({ error })

  const tighter = Object.fromEntries((await ask()).headers)
  expect(tighter).toMatchObject({ 'ratelimit-limit': '60', 'ratelimit-remaining': '29' })
  expect(await flood(40)).toEqual({ 200: 29, 429: 11 })
  const both = { error: 'Se agotó la cuota por minuto de la clave' }
  expect(await (await ask(CHECK)).json()).toEqual(both)
})

it('the minute of a key is not granted twice by clocks on both sides of its end, nor blocked after a clock that was ahead', async () => {
  const { ask, flood, clock } = await open()
  clock.now = NOW + MINUTE_MS
  await flood(60)
  for (const now of [NOW, NOW + MINUTE_MS]) {
    clock.now = now
    expect((await ask()).status).toBe(429)
  }
  clock.now = NOW + DAY_MS * 7
  await flood(60)
  clock.now = NOW
  expect((await ask()).status).toBe(200)
})

it('the minute of a key is counted by key; a rotation neither resets nor splits the count', async () => {
  const { ask, flood, newKey, rotate } = await open()
  const second = await newKey()
  await flood(59)
  const rotated = await rotate()

  expect(await flood(2, HISTORY, rotated)).toEqual({ 200: 1, 429: 1 })
  expect((await ask(HISTORY, second)).status).toBe(200)
})

it('the daily budget admits exactly its number of requests of all keys together, again from 21:00 in Argentina on', async () => {
  const now = art('2026-03-02 20:59:58.500')
  const { ask, flood, newKey, clock } = await open({ budget: 50, now })
  const second = await newKey()

  const both = await Promise.all([flood(55), flood(55, HISTORY, second)])
  const sum = (status: number) => both.reduce((total, one) => total + (one[status] ?? 0), 0)
  expect([sum(200), sum(503)]).toEqual([50, 60])
  expect((await counters()).day).toBe(50)
  expect((await ask()).headers.get('Retry-After')).toBe('2')
  clock.now = art('2026-03-02 21:00')
  expect(await flood(51)).toEqual({ 200: 50, 503: 1 })
})

it('the daily budget refuses with the seconds to the next UTC day, uses up no minute quota, and is checked after that quota', async () => {
  const { ask, flood } = await open({ budget: 3 })
  const limits = { 'ratelimit-limit': '3', 'ratelimit-reset': SECONDS_TO_DAY }
  const first = Object.fromEntries((await ask()).headers)
  expect(first).toMatchObject({ ...limits, 'ratelimit-remaining': '2' })
  await flood(2)
  const response = await ask(CHECK)

  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({ error: 'Se agotó la capacidad diaria del servicio' })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    ...limits,
    'retry-after': SECONDS_TO_DAY,
    'ratelimit-remaining': '0',
  })
  expect(await counters()).toEqual({ keys: [[3, 0]], day: 3 })
  await changeRows('apiKeys', { quotaUsed: 60 })
  expect((await ask()).status).toBe(429)
})

it.each(['webhooks/una-ruta', 'webhooks/deliveries', 'alerts/una-ruta'])(
  'a request of %s/history, which two gates match, is counted once',
  async (path) => {
    const { ask } = await open()
    expect((await ask(`/api/v2/${path}/history`)).status).toBe(404)
    expect(await counters()).toEqual({ keys: [[1, 1]], day: 1 })
  },
)
