import { describe, expect, it } from 'vitest'
import {
  DAY_MS,
  formatArgentine,
  type Instant,
  MINUTE_MS,
  SECOND_MS,
} from '../../shared/argentine-time.ts'
import { BOARD_KEY, parseBoard } from '../../shared/board/board.ts'
import { readAvailability } from '../../shared/db/quotes/availability.ts'
import { LEASE_MS } from '../../workers/scraper/db/cycles.ts'
import { listHeld, overrideHeld } from '../../shared/db/quotes/quarantine.ts'
import { findPairByKey } from '../../shared/market/catalog.ts'
import { type CycleEnv, type CycleReport, runCycle } from '../../workers/scraper/cycle.ts'
import { aroundBatch } from '../support/batched-db.ts'
import { NOON, cycleDeps, later } from '../support/cycle-deps.ts'
import { env } from '../support/env.ts'
import { art } from '../support/instant.ts'
import { measuredDatabase } from '../support/measured-database.ts'
import { type Market, marketFetch } from '../support/market.ts'
import { changeRows, readRows } from '../support/rows.ts'

const CALM: Market = { blue: [1410, 1430] }

/** Runs the cycle of an instant. */
function cycle(
  at: Instant,
  market: Market = CALM,
  changes: { env?: Partial<CycleEnv>; fetch?: typeof fetch; scheduledAt?: Instant } = {},
): Promise<CycleReport> {
  return runCycle(
    { ...env, ...changes.env },
    cycleDeps({ now: () => at, fetch: changes.fetch ?? marketFetch(market) }),
    changes.scheduledAt ?? at,
  )
}

async function blue() {
  const board = parseBoard(await env.BOARD.get(BOARD_KEY))
  return board?.quotes.find((quote) => quote.origin === 'BLUE')
}

async function count(table: string): Promise<number> {
  return (await env.DB.prepare(`select count(*) as n from ${table}`).first<number>('n'))!
}

/** Whatever is between them, what can be read afterwards must agree. */
async function expectConsistent() {
  const odd = await env.DB.prepare(
    `select c.pair from current_quotes c where not exists (
       select 1 from points p where p.pair = c.pair and p.at = c.updated_at and p.buy = c.buy
         and p.sell = c.sell and not exists (
           select 1 from points later where later.pair = p.pair and later.at > p.at))`,
  ).all()
  expect(odd.results).toEqual([])
}

describe('a cycle', () => {
  it('publishes what the sources say, though nearly all of them fail', async () => {
    const report = await cycle(NOON)

    expect(report).toMatchObject({ outcome: 'recorded', changed: ['USD/BLUE'], published: true })
    expect(await blue()).toMatchObject({
      buy: 1410,
      sell: 1430,
      updatedAt: formatArgentine(NOON),
      lastScrapedAt: formatArgentine(NOON),
      referenceSell: null,
      source: 'ambito-blue',
      held: false,
    })
    await expectConsistent()
  })

  it('that finds no change moves lastScrapedAt alone', async () => {
    await cycle(NOON)
    expect(await cycle(later(1))).toMatchObject({ changed: [] })

    expect(await blue()).toMatchObject({
      updatedAt: formatArgentine(NOON),
      lastScrapedAt: formatArgentine(later(1)),
    })
    expect(await count('points')).toBe(1)
  })

  it('that waited long for one source asks all of them again in the next', async () => {
    let now = NOON
    const slow: typeof fetch = (...request) => {
      now = NOON + 35 * SECOND_MS
      return marketFetch(CALM)(...request)
    }
    await runCycle(env, cycleDeps({ now: () => now, fetch: slow }), NOON)
    expect(await blue()).toMatchObject({ lastScrapedAt: formatArgentine(NOON + 35 * SECOND_MS) })

    await cycle(later(1))
    expect(await blue()).toMatchObject({ lastScrapedAt: formatArgentine(later(1)) })
  })

  it('that finds a change writes its point and measures it from yesterday', async () => {
    await cycle(art('2026-03-01 23:55'))
    await cycle(NOON, { blue: [1420, 1440] })
    await cycle(later(1), { blue: [1415, 1435] })

    expect(await blue()).toMatchObject({
      sell: 1435,
      updatedAt: formatArgentine(later(1)),
      referenceSell: 1430,
    })
    expect(await count('points')).toBe(3)
    expect(await readRows('dailyCandles', { day: '2026-03-02' })).toMatchObject([
      { open: 14_300_000, low: 14_300_000, high: 14_400_000, close: 14_350_000 },
    ])
    await expectConsistent()
  })

  it('in which no source answers keeps every value and says so', async () => {
    await cycle(NOON)
    const silent = await cycle(later(1), CALM, {
      fetch: async () => {
        throw new Error('Network connection lost.')
      },
    })

    expect(silent).toMatchObject({ outcome: 'recorded', answered: 0 })
    expect(parseBoard(await env.BOARD.get(BOARD_KEY))).toMatchObject({ anySourceAnswered: false })
    expect(await blue()).toMatchObject({ sell: 1430, lastScrapedAt: formatArgentine(NOON) })
  })
})

describe('a cycle twice', () => {
  it('at once: one records, the others are skipped', async () => {
    const reports = await Promise.all(Array.from({ length: 8 }, () => cycle(NOON)))

    expect(reports.filter(({ outcome }) => outcome === 'recorded')).toHaveLength(1)
    expect(reports.filter(({ outcome }) => outcome === 'skipped')).toHaveLength(7)
    expect(await count('points')).toBe(1)
  })

  it('one after the other: the second is skipped, and one that came late', async () => {
    await cycle(NOON)
    for (const scheduledAt of [NOON, NOON - 5 * MINUTE_MS]) {
      const again = await cycle(NOON + 1000, { blue: [1415, 1435] }, { scheduledAt })
      expect(again).toEqual({ outcome: 'skipped' })
    }
    expect(await count('points')).toBe(1)
  })

  it('while another one collects, it is skipped until that one’s lease is over, and then overtakes it', async () => {
    await cycle(later(-1))
    const others = async () => [
      await cycle(NOON + LEASE_MS - 1, { blue: [1415, 1435] }),
      await cycle(NOON + LEASE_MS, { blue: [1415, 1435] }),
    ]
    let inner: Promise<CycleReport[]> | undefined
    const slow: typeof fetch = async (input, init) => {
      inner ??= others()
      await inner
      return marketFetch(CALM)(input, init)
    }
    const outer = await cycle(NOON, CALM, { fetch: slow })

    expect(await inner).toMatchObject([{ outcome: 'skipped' }, { outcome: 'recorded' }])
    expect(outer).toEqual({ outcome: 'overtaken' })
    expect(await blue()).toMatchObject({ sell: 1435 })
    expect(await count('points')).toBe(2)
    await expectConsistent()
  })

  it('with a clock that went back, it writes nothing of the past or the future', async () => {
    await cycle(NOON)
    const back = await cycle(NOON - MINUTE_MS, { blue: [1415, 1435] }, { scheduledAt: later(1) })

    expect(back).toEqual({ outcome: 'clock_wrong' })
    expect(await cycle(later(2), { blue: [1415, 1435] })).toMatchObject({ outcome: 'recorded' })
    expect(await blue()).toMatchObject({ sell: 1435 })
  })
})

describe('a cycle that dies', () => {
  const deaths: [string, () => Partial<CycleEnv>][] = [
    ['before it takes the lease', () => ({ DB: dyingDatabase(1, 'before') })],
    ['with the lease taken', () => ({ DB: dyingDatabase(1, 'after') })],
    ['before it records', () => ({ DB: dyingDatabase(2, 'before') })],
    ['right after it recorded', () => ({ DB: dyingDatabase(2, 'after') })],
    ['at the publishing', () => ({ BOARD: failingKv() })],
  ]

  it.each(deaths)('%s leaves a state from which the next is right', async (_, make) => {
    await cycle(NOON)
    await cycle(later(1), { blue: [1415, 1435] }, { env: make() }).catch(() => {})
    await expectConsistent()

    expect(await cycle(later(2), { blue: [1415, 1435] })).toMatchObject({ outcome: 'recorded' })
    expect(await blue()).toMatchObject({ sell: 1435, lastScrapedAt: formatArgentine(later(2)) })
    expect(await count('points')).toBe(2)
    await expectConsistent()
  })

  it('with a clock that ran a day ahead leaves no lease that counts', async () => {
    await cycle(NOON)
    const dying = { env: { DB: dyingDatabase(1, 'after') }, scheduledAt: later(1) }
    await cycle(NOON + DAY_MS, CALM, dying).catch(() => {})
    expect(await cycle(later(2))).toMatchObject({ outcome: 'recorded' })
  })
})

describe('the quarantine', () => {
  const WRONG: Market = { blue: [1410, 143], dead: ['dolarhoy.com'] }

  it('keeps a held value with its reason; the last good value stays', async () => {
    await cycle(NOON)
    expect(await cycle(later(1), WRONG)).toMatchObject({ changed: [], held: ['USD/BLUE'] })
    expect(await cycle(later(2), WRONG)).toMatchObject({ changed: [], held: ['USD/BLUE'] })

    expect(await blue()).toMatchObject({
      sell: 1430,
      held: true,
      lastScrapedAt: formatArgentine(NOON),
    })
    expect(await rows()).toMatchObject([{ status: 'held', sell: 1_430_000, source: 'ambito-blue' }])
  })

  it('closes the row when the value goes away', async () => {
    await cycle(NOON)
    await cycle(later(1), WRONG)
    await cycle(later(2))

    expect(await rows()).toMatchObject([{ status: 'dropped' }])
    expect(await blue()).toMatchObject({ held: false, lastScrapedAt: formatArgentine(later(2)) })
  })

  it('publishes what the operator accepts, in the next cycle that sees it', async () => {
    await cycle(NOON)
    await cycle(later(1), WRONG)
    await overrideHeld(env.DB, findPairByKey('usd/blue')!, 'accepted')

    expect(await cycle(later(2), WRONG)).toMatchObject({ changed: ['USD/BLUE'], held: [] })
    expect(await blue()).toMatchObject({ sell: 143, held: false })
    expect(await rows()).toMatchObject([{ status: 'accepted' }])
    expect(await listHeld(env.DB)).toEqual([])
  })

  it('never publishes what the operator rejected, however often it comes', async () => {
    const jump: Market = { blue: [1690, 1710], dead: ['dolarhoy.com'] }
    await cycle(NOON)
    await cycle(later(1), jump)
    await overrideHeld(env.DB, findPairByKey('usd/blue')!, 'rejected')
    // Longer than the two hours after which a single source is believed.
    for (let i = 2; i < 30; i++) await cycle(later(i), jump)

    expect(await blue()).toMatchObject({ sell: 1430 })
    expect(await rows()).toMatchObject([{ status: 'rejected' }])
  })
})

describe('the open streams', () => {
  it('cost the cycle nothing when they cannot be told', async () => {
    const broken = { getByName: () => ({ publish: () => Promise.reject(new Error('overloaded')) }) }
    const report = await cycle(NOON, CALM, { env: { QUOTE_STREAM: broken } })
    expect(report).toMatchObject({ outcome: 'recorded', published: true })
    expect(await cycle(later(1))).toMatchObject({ outcome: 'recorded' })
  })
})

describe('availability', () => {
  it('settles the time since the last cycle, whatever came between', async () => {
    await cycle(art('2026-03-02 19:50'))
    await cycle(art('2026-03-02 19:55'))
    await cycle(art('2026-03-03 00:30'))
    // Only the blue dollar answers in this market.
    expect(await readAvailability(env.DB, NOON + DAY_MS)).toEqual([
      { day: '2026-03-02', ok: 0, degraded: 20 * MINUTE_MS, down: 230 * MINUTE_MS },
      { day: '2026-03-03', ok: 0, degraded: 0, down: 30 * MINUTE_MS },
    ])
  })

  it('survives a summary that cannot be read', async () => {
    await cycle(NOON)
    await changeRows('scraperState', { cycle: '{' })
    expect(await cycle(later(1))).toMatchObject({ outcome: 'recorded' })
    expect(await readAvailability(env.DB, NOON)).toEqual([])
  })
})

describe('what a cycle costs', () => {
  it('without a change: 3 round trips, 8 rows read and 2 written a pair, one KV write', async () => {
    await cycle(NOON)
    const { db, spent } = measuredDatabase()
    const puts: string[] = []
    const put = (key: string, value: string) => (puts.push(key), env.BOARD.put(key, value))
    await cycle(later(1), CALM, { env: { DB: db, BOARD: { put } as unknown as KVNamespace } })

    expect(spent().roundTrips).toBeLessThanOrEqual(3)
    expect(spent().rowsRead).toBeLessThanOrEqual(8 * 19)
    expect(spent().rowsWritten).toBeLessThanOrEqual(2 * 19 + 10)
    expect(puts).toHaveLength(1)
  })
})

function die(): never {
  throw new Error('the process died')
}

/** D1 whose nth round trip, and all after it, never come back. */
function dyingDatabase(nth: number, when: 'before' | 'after'): D1Database {
  let calls = 0
  return aroundBatch(async (run) => {
    calls++
    if (calls > nth || (calls === nth && when === 'before')) die()
    const results = await run()
    if (calls === nth) die()
    return results
  })
}

function failingKv(): KVNamespace {
  return { put: () => Promise.reject(new Error('KV failed')) } as unknown as KVNamespace
}

const rows = () => readRows('quarantine')
