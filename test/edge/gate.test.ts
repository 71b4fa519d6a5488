import { describe, expect, it } from 'vitest'
import { hashKey } from '../../shared/access/api-key.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/argentine-time.ts'
import { createKey, rotateKey } from '../../shared/db/accounts/api-keys.ts'
import { seedAccount } from '../support/accounts.ts'
import { failing } from '../support/failing-database.ts'
import { openEdge } from '../support/edge.ts'
import { env } from '../support/env.ts'
import { art } from '../support/instant.ts'
import { measuredDatabase } from '../support/measured-database.ts'
import { random } from '../support/random.ts'
import { changeRows, deleteRows, readRows } from '../support/rows.ts'

const CHECK = '/api/v2/auth/check'
const HISTORY = '/api/v2/usd/blue/history'

/** 12:00:15 in Argentina: 45 s to the next minute, 8 h 59 min 45 s to the next UTC day. */
const NOW = art('2026-03-02 12:00:15')
const SECONDS_TO_DAY = String(9 * 3600 - 15)

const db = env.DB

/** The key with its last character wrong. */
const mistyped = (key: string) => key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A')

/** An edge with one key, and a way to ask with it. */
async function open(options: { now?: number; budget?: number; DB?: D1Database } = {}) {
  const { key, accountId, record } = await seedAccount()
  const { now = NOW, budget, ...bindings } = options
  const edge = openEdge({
    now,
    env: {
      ...bindings,
      ...(budget === undefined ? {} : { DAILY_PRIVATE_BUDGET: String(budget) }),
    } as object,
  })
  const ask = (path = HISTORY, secret = key) =>
    edge.fetch(path, { headers: { Authorization: `Bearer ${secret}` } })

  return { key, accountId, record, edge, ask, clock: edge.clock }
}

type Ask = Awaited<ReturnType<typeof open>>['ask']

/** The statuses of many requests sent at once, counted. */
async function flood(ask: Ask, count: number, path?: string): Promise<Record<number, number>> {
  const answers = await Promise.all(Array.from({ length: count }, () => ask(path)))
  const statuses: Record<number, number> = {}
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1
  return statuses
}

async function counters() {
  const [keys, day] = await env.DB.batch<Record<string, number>>([
    env.DB.prepare('select quota_used, quota_managed from api_keys order by rowid'),
    env.DB.prepare('select used from private_budget'),
  ])
  return {
    keys: keys!.results.map((row) => [row['quota_used'], row['quota_managed']]),
    day: day!.results[0]?.['used'] ?? 0,
  }
}

describe('credentials', () => {
  const refused: [string, (key: string) => [path: string, headers: [string, string][]]][] = [
    ['none', () => [CHECK, []]],
    ['a key of the right form that nobody has', () => [CHECK, [['x-api-key', 'inventada']]]],
    ['an empty Authorization', () => [CHECK, [['Authorization', '']]]],
    ['a scheme without a key', () => [CHECK, [['Authorization', 'Bearer']]]],
    ['a key without a scheme', (key) => [CHECK, [['Authorization', key]]]],
    ['another scheme', (key) => [CHECK, [['Authorization', `Basic ${key}`]]]],
    [
      'another scheme beside a good x-api-key',
      (key) => [
        CHECK,
        [
          ['Authorization', `Basic ${key}`],
          ['x-api-key', key],
        ],
      ],
    ],
    [
      'an empty Authorization beside a good x-api-key',
      (key) => [
        CHECK,
        [
          ['Authorization', ''],
          ['x-api-key', key],
        ],
      ],
    ],
    [
      'a good Authorization beside an empty x-api-key',
      (key) => [
        CHECK,
        [
          ['Authorization', `Bearer ${key}`],
          ['x-api-key', ''],
        ],
      ],
    ],
    [
      'two different keys',
      (key) => [
        CHECK,
        [
          ['Authorization', `Bearer ${key}`],
          ['x-api-key', `${key}x`],
        ],
      ],
    ],
    [
      'Authorization twice',
      (key) => [
        CHECK,
        [
          ['Authorization', `Bearer ${key}`],
          ['Authorization', `Bearer ${key}`],
        ],
      ],
    ],
    [
      'x-api-key twice',
      (key) => [
        CHECK,
        [
          ['x-api-key', key],
          ['x-api-key', key],
        ],
      ],
    ],
    ['two keys with a comma', (key) => [CHECK, [['Authorization', `Bearer ${key},${key}`]]]],
    ['a comma after the key', (key) => [CHECK, [['x-api-key', `${key},`]]]],
    ['two schemes', (key) => [CHECK, [['Authorization', `Bearer Bearer ${key}`]]]],
    ['a tab for the space', (key) => [CHECK, [['Authorization', `Bearer\t${key}`]]]],
    ['a tab inside', (key) => [CHECK, [['x-api-key', `${key}\t${key}`]]]],
    ['words after the key', (key) => [CHECK, [['Authorization', `Bearer ${key} x`]]]],
    ['a key of 8 KB', () => [CHECK, [['x-api-key', 'x'.repeat(8192)]]]],
    ['a good key and 8 KB more', (key) => [CHECK, [['x-api-key', key + 'x'.repeat(8192)]]]],
    ['non-ASCII', (key) => [CHECK, [['x-api-key', `${key}\u00e1`]]]],
    ['a key in the query', (key) => [`${CHECK}?api_key=${key}&x-api-key=${key}`, []]],
    ['a key in a cookie', (key) => [CHECK, [['Cookie', `session=${key}; x-api-key=${key}`]]]],
    ['the key with a wrong last character', (key) => [CHECK, [['x-api-key', mistyped(key)]]]],
    ['the key in the other case', (key) => [CHECK, [['x-api-key', key.toLowerCase()]]]],
    ['the stored hash', () => [CHECK, [['x-api-key', storedHash]]]],
    ['SQL', () => [CHECK, [['x-api-key', "'OR'1'='1'--"]]]],
  ]
  let storedHash = ''

  it.each(refused)('%s: 401, and nothing is counted', async (_, request) => {
    const { key, edge } = await open()
    storedHash = await hashKey(key)
    const [path, headers] = request(key)
    const response = await edge.fetch(path, { headers: new Headers(headers) })

    expect(response.status).toBe(401)
    expect(await response.text()).toBe('{"error":"No autorizado"}')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'www-authenticate': 'Bearer',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
    })
    expect(response.headers.has('RateLimit-Limit')).toBe(false)
    expect(response.headers.has('Retry-After')).toBe(false)
    expect(await counters()).toEqual({ keys: [[0, 0]], day: 0 })
  })

  it('refuses a mistyped key without asking the database', async () => {
    const { key, edge } = await open({ DB: failing('no debe ser leída') })
    const answer = (secret: string) => edge.fetch(CHECK, { headers: { 'x-api-key': secret } })

    expect((await answer(mistyped(key))).status).toBe(401)
    expect((await answer(key)).status).toBe(503)
  })

  it('allows more than one space after the scheme', async () => {
    const { key, edge } = await open()
    const headers = { Authorization: `Bearer   ${key}` }
    expect((await edge.fetch(CHECK, { headers })).status).toBe(200)
  })

  it.each(['v1-token', 'sk/live+AB==', "o'hara;--"])('knows the inherited key %s', async (key) => {
    const { ask } = await open()
    await changeRows('apiKeys', { hash: await hashKey(key), inherited: true })
    expect((await ask(CHECK, key)).status).toBe(200)
  })

  it('does not know a revoked key, nor the old secret of a rotated one', async () => {
    const { ask, key, accountId, record } = await open()
    expect((await ask(CHECK)).status).toBe(200)

    const rotation = { accountId, keyId: record.id, seenPrefix: record.prefix, random }
    const rotated = await rotateKey(db, rotation)
    if (!rotated.ok) throw new Error(rotated.refusal)
    expect((await ask(CHECK, key)).status).toBe(401)
    expect((await ask(CHECK, rotated.value.key)).status).toBe(200)

    await deleteRows('apiKeys')
    expect((await ask(CHECK, rotated.value.key)).status).toBe(401)
  })

  it('writes the day on which the key was last used, in Argentina', async () => {
    const { ask } = await open({ now: art('2026-03-02 23:30') })
    await ask(CHECK)
    expect(await readRows('apiKeys')).toMatchObject([{ lastUsedDay: '2026-03-02' }])
  })
})

describe('the minute of a key', () => {
  it('passes exactly 60 of 200 requests at once', async () => {
    const { ask } = await open()
    expect(await flood(ask, 200)).toEqual({ 200: 60, 429: 140 })
    expect(await counters()).toEqual({ keys: [[60, 0]], day: 60 })
  })

  it('passes exactly 30 of 200 key checks at once, and then 30 other requests', async () => {
    const { ask } = await open()
    expect(await flood(ask, 200, CHECK)).toEqual({ 200: 30, 429: 170 })
    expect(await counters()).toEqual({ keys: [[30, 30]], day: 30 })
    expect(await flood(ask, 40)).toEqual({ 200: 30, 429: 10 })
  })

  it('refuses the 61st with the seconds to the next UTC minute', async () => {
    const { ask } = await open()
    await flood(ask, 60)
    const response = await ask()

    expect(response.status).toBe(429)
    expect(await response.json()).toEqual({ error: 'Se agotó la cuota por minuto de la clave' })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'retry-after': '45',
      'ratelimit-limit': '60',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '45',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    })
    expect(response.headers.has('WWW-Authenticate')).toBe(false)
  })

  it('refuses the 31st key check by the management quota, but first by the key’s', async () => {
    const { ask } = await open()
    await flood(ask, 30, CHECK)
    const managed = await ask(CHECK)
    expect(managed.status).toBe(429)
    expect(await managed.json()).toEqual({
      error: 'Se agotó la cuota por minuto de gestión de la clave',
    })
    expect(managed.headers.get('RateLimit-Limit')).toBe('30')
    expect(managed.headers.get('Retry-After')).toBe('45')

    await flood(ask, 30)
    const both = await ask(CHECK)
    expect(await both.json()).toEqual({ error: 'Se agotó la cuota por minuto de la clave' })
  })

  it('reports the tighter limit as it shrinks', async () => {
    const { ask } = await open()
    const seen = async (path: string) => {
      const { headers } = await ask(path)
      return [headers.get('RateLimit-Limit'), headers.get('RateLimit-Remaining')].join(':')
    }
    expect(await seen(HISTORY)).toBe('60:59')
    expect(await seen(CHECK)).toBe('30:29')
    await flood(ask, 40)
    expect(await seen(CHECK)).toBe('60:17')
  })

  it('starts afresh with the UTC minute, not before', async () => {
    const { ask, clock } = await open()
    await flood(ask, 70)

    clock.now = NOW + 45_000 - 1
    const last = await ask()
    expect([last.status, last.headers.get('Retry-After')]).toEqual([429, '1'])
    clock.now = NOW + 45_000
    expect(await flood(ask, 70)).toEqual({ 200: 60, 429: 10 })
  })

  it('is not opened twice by two clocks at its edge', async () => {
    const { ask, clock } = await open()
    clock.now = NOW + MINUTE_MS
    await flood(ask, 60)
    clock.now = NOW
    expect((await ask()).status).toBe(429)
    clock.now = NOW + MINUTE_MS
    expect((await ask()).status).toBe(429)
  })

  it('is not shut for long by a clock that was wrong', async () => {
    const { ask, clock } = await open({ now: NOW + DAY_MS * 7 })
    await flood(ask, 60)
    clock.now = NOW
    expect((await ask()).status).toBe(200)
  })

  it('is each key’s own', async () => {
    const { ask, accountId } = await open()
    const second = await createKey(db, { accountId, name: 'segunda', now: NOW, random })
    if (!second.ok) throw new Error(second.refusal)
    await flood(ask, 61)

    expect((await ask(HISTORY)).status).toBe(429)
    expect((await ask(HISTORY, second.value.key)).status).toBe(200)
  })

  it('is neither reset nor split by a rotation', async () => {
    const { ask, accountId, record } = await open()
    await flood(ask, 59)
    const rotation = { accountId, keyId: record.id, seenPrefix: record.prefix, random }
    const rotated = await rotateKey(db, rotation)
    if (!rotated.ok) throw new Error(rotated.refusal)

    expect((await ask(HISTORY, rotated.value.key)).status).toBe(200)
    expect((await ask(HISTORY, rotated.value.key)).status).toBe(429)
  })

  it('counts both headers together', async () => {
    const { edge, key } = await open()
    const headers = [{ Authorization: `Bearer ${key}` }, { 'x-api-key': key }]
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, index) =>
        edge.fetch(HISTORY, { headers: headers[index % 2]! }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
  })
})

describe('the daily budget', () => {
  it('passes exactly as many as it holds, of all keys together', async () => {
    const { ask, accountId } = await open({ budget: 50 })
    const second = await createKey(db, { accountId, name: 'segunda', now: NOW, random })
    if (!second.ok) throw new Error(second.refusal)
    const other: Ask = (path) => ask(path, second.value.key)

    const [first, rest] = await Promise.all([flood(ask, 55), flood(other, 55)])
    expect((first[200] ?? 0) + (rest[200] ?? 0)).toBe(50)
    expect((first[503] ?? 0) + (rest[503] ?? 0)).toBe(60)
    expect((await counters()).day).toBe(50)
  })

  it('refuses with the seconds to the next UTC day and consumes no minute', async () => {
    const { ask } = await open({ budget: 3 })
    await flood(ask, 3)
    const response = await ask(CHECK)

    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({ error: 'Se agotó la capacidad diaria del servicio' })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'retry-after': SECONDS_TO_DAY,
      'ratelimit-limit': '3',
      'ratelimit-remaining': '0',
      'ratelimit-reset': SECONDS_TO_DAY,
      'cache-control': 'no-store',
    })
    expect(await counters()).toEqual({ keys: [[3, 0]], day: 3 })
  })

  it('comes after the minute: a key out of both is told of its minute', async () => {
    const { ask } = await open({ budget: 60 })
    await flood(ask, 60)
    expect((await ask()).status).toBe(429)
  })

  it('starts afresh with the UTC day, 21:00 in Argentina', async () => {
    const { ask, clock } = await open({ budget: 5, now: art('2026-03-02 20:59:58.500') })
    expect(await flood(ask, 6)).toEqual({ 200: 5, 503: 1 })
    expect((await ask()).headers.get('Retry-After')).toBe('2')
    clock.now = art('2026-03-02 21:00')
    expect(await flood(ask, 6)).toEqual({ 200: 5, 503: 1 })
  })

  it('is reported when it is the tighter limit', async () => {
    const { ask } = await open({ budget: 10 })
    const { headers } = await ask()
    expect(headers.get('RateLimit-Limit')).toBe('10')
    expect(headers.get('RateLimit-Remaining')).toBe('9')
    expect(headers.get('RateLimit-Reset')).toBe(SECONDS_TO_DAY)
  })

  it.each(['', 'muchas', '0', '-1'])('set to %j opens nothing', async (budget) => {
    const { ask } = await open({ budget: budget as unknown as number })
    expect((await ask()).status).toBe(503)
    expect((await counters()).day).toBe(0)
  })
})

describe('when the database fails', () => {
  it('is 503 with Retry-After, and lets nobody in', async () => {
    const { ask } = await open({ DB: failing('D1_ERROR: overloaded') })
    const response = await ask(CHECK)

    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({
      error: 'No es posible verificar la clave en este momento',
    })
    expect(response.headers.get('Retry-After')).toBe('10')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
  })
})

describe('what it costs', () => {
  it.each([
    ['passing', { budget: 100, before: 0, secret: undefined, written: 2 }],
    ['out of the day', { budget: 1, before: 1, secret: undefined, written: 0 }],
    ['unknown', { budget: 100, before: 1, secret: 'nadie', written: 0 }],
  ])('a request %s: one round trip, at most 6 rows read and 4 written', async (_, c) => {
    const { db: DB, spent, forget } = measuredDatabase()
    const { ask, accountId } = await open({ budget: c.budget, DB })
    for (let index = 0; index < 4; index++)
      await createKey(db, { accountId, name: 'otra', now: NOW, random })
    await flood(ask, c.before)

    forget()
    await ask(CHECK, c.secret)
    expect(spent().roundTrips).toBe(1)
    expect(spent().rowsRead).toBeLessThanOrEqual(6)
    expect(spent().rowsWritten).toBeLessThanOrEqual(4)
    if (c.before > 0) expect(spent().rowsWritten).toBe(c.written)
  })

  it.each([
    ['its minute', { budget: 100, before: 60, path: HISTORY, remaining: [] }],
    ['the day', { budget: 1, before: 1, path: HISTORY, remaining: [] }],
    ['its management', { budget: 100, before: 30, path: CHECK, remaining: [HISTORY] }],
  ])('a key out of %s asks the database once a minute', async (_, c) => {
    const { db: DB, spent, forget } = measuredDatabase()
    const { ask, clock } = await open({ budget: c.budget, DB })
    await flood(ask, c.before, c.path)
    const first = await ask(c.path)

    forget()
    for (const path of [c.path, CHECK]) {
      const again = await ask(path)
      expect(again.status).toBe(first.status)
      expect(Object.fromEntries(again.headers)).toEqual(Object.fromEntries(first.headers))
      expect(await again.text()).toBe(await first.clone().text())
    }
    expect(spent().roundTrips).toBe(0)
    for (const path of c.remaining) expect((await ask(path)).status).toBe(200)

    forget()
    clock.now += MINUTE_MS
    await ask(c.path)
    expect(spent().roundTrips).toBeGreaterThan(0)
  })
})

it.each([
  ['/api/v2/webhooks/una-ruta/history', 404],
  ['/api/v2/webhooks/deliveries/history', 404],
  ['/api/v2/alerts/una-ruta/history', 404],
])('%s, which two gates could stand before, is counted once', async (path, status) => {
  const { ask } = await open()
  expect((await ask(path)).status).toBe(status)
  expect(await counters()).toEqual({ keys: [[1, 1]], day: 1 })
})
