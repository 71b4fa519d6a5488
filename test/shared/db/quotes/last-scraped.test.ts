import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Instant, MINUTE_MS } from '../../../../shared/argentine-time.ts'
import { boardFromDatabase } from '../../../../shared/db/quotes/board-fallback.ts'
import type { CycleRecord } from '../../../../shared/db/quotes/cycle-record.ts'
import {
  closeCycle,
  type CycleState,
  LEASE_MS,
  LeaseLost,
  openCycle,
  recordCycle,
} from '../../../../workers/scraper/db/cycles.ts'
import type { CurrentQuote } from '../../../../shared/db/quotes/quotes.ts'
import { findPairByKey, type Pair, PAIRS } from '../../../../shared/market/catalog.ts'
import { readCurrentQuotes } from '../../../../tools/operate/admin/current-quotes.ts'
import { env } from '../../../support/env.ts'
import { art } from '../../../support/instant.ts'
import { changeRows, emptyTables } from '../../../support/rows.ts'

const NOON = art('2026-03-02 12:00')
const later = (cycles: number) => NOON + cycles * 5 * MINUTE_MS
const blue = findPairByKey('usd/blue')!
const bna = findPairByKey('usd/bna')!

it.each(['{', '', '[]', '"text"'])('a damaged row of all (%s) is mended', async (damaged) => {
  await cycle(NOON, { read: [blue, bna] })
  await cycle(later(1), { read: [blue, bna] })
  await changeRows('scraperState', { confirmedAt: damaged })

  expect(await everyReader(later(2))).toEqual([
    [bna.id, NOON],
    [blue.id, NOON],
  ])
  await cycle(later(3), { read: [blue] })
  expect(await everyReader(later(4))).toEqual([
    [bna.id, NOON],
    [blue.id, later(3)],
  ])
})

it('is what a row a pair would say, whoever is overtaken', async () => {
  const few = [bna, blue, PAIRS.at(-1)!]
  const step = fc.record({
    read: fc.subarray(few),
    sell: fc.dictionary(
      fc.constantFrom(...few.map(({ id }) => `${id}`)),
      fc.integer({ min: 1, max: 3 }),
    ),
    overtaken: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      await empty()
      const model = new Map<number, Instant>()
      for (const [i, { overtaken, ...market }] of steps.entries()) {
        const at = later(i)
        const slow = overtaken ? await open(at - LEASE_MS) : null
        await cycle(at, market)
        for (const pair of market.read) model.set(pair.id, at)
        if (!slow) continue
        const late = recordOf(slow, at - LEASE_MS, { read: few })
        await expect(recordCycle(env.DB, late, [])).rejects.toThrow(LeaseLost)
      }
      const expected = few.flatMap(({ id }) => (model.has(id) ? [[id, model.get(id)]] : []))
      expect(await everyReader(later(steps.length))).toEqual(expected)
    }),
    { numRuns: 12 },
  )
})

interface Market {
  read: readonly Pair[]
  /** The sell of pairs that have not 1, by id. */
  sell?: Readonly<Record<string, number>>
}

let tokens = 0
const open = (at: Instant) =>
  openCycle(env.DB, { token: `token-${tokens++}`, now: at, scheduledAt: at, mode: 'live' })

async function cycle(at: Instant, market: Market): Promise<void> {
  const state = (await open(at))!
  await recordCycle(env.DB, recordOf(state, at, market), [])
  await closeCycle(env.DB, state.token)
}

function recordOf(state: CycleState, at: Instant, { read, sell = {} }: Market): CycleRecord {
  const quotes = read.map((pair): CurrentQuote => {
    const current = state.quotes.find((quote) => quote.pair === pair)
    const value = { buy: 1, sell: sell[pair.id] ?? 1, source: 'test' }
    const updatedAt = current?.sell === value.sell ? current.updatedAt : at
    return { pair, ...value, updatedAt, lastScrapedAt: at, referenceSell: null }
  })
  return {
    token: state.token,
    historyRevision: state.historyRevision,
    scheduledAt: at,
    at,
    quotes,
    changes: quotes
      .filter(({ updatedAt }) => updatedAt === at)
      .map((quote) => ({ quote, previous: null })),
    begun: [],
    quarantine: [],
    guard: '{}',
    sources: '{}',
    summary: { at, everySeconds: 300, anySourceAnswered: true },
    availability: [],
  }
}

async function boardInstants(now: Instant): Promise<[pair: number, Instant][]> {
  const { quotes } = await boardFromDatabase(env.DB, now)
  return quotes.map(({ currency, origin, lastScrapedAt }) => [
    PAIRS.find((pair) => pair.currency === currency && pair.origin === origin)!.id,
    Date.parse(lastScrapedAt),
  ])
}

/** What the cycle, the board's fallback and the operator's commands read, which is the same. */
async function everyReader(now: Instant): Promise<[pair: number, Instant][]> {
  const board = await boardInstants(now)
  const state = (await open(now))!
  await closeCycle(env.DB, state.token)
  for (const quotes of [state.quotes, await readCurrentQuotes(env.DB)]) {
    expect(quotes.map(({ pair, lastScrapedAt }) => [pair.id, lastScrapedAt])).toEqual(board)
  }
  return board
}

async function empty(): Promise<void> {
  await emptyTables('currentQuotes', 'scraperState', 'leases', 'points')
}
