import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, formatUtc, HOUR_MS, MINUTE_MS } from '../../shared/argentine-time.ts'
import { findPairByKey, type PairKey, pairKey } from '../../shared/market/catalog.ts'
import { numberToPrice } from '../../shared/market/price.ts'
import { publishedIncidents, readIncidents } from '../support/incidents.ts'
import { delayOf, isMove } from '../../tools/prove/replay/figures.ts'
import { inject as injectTrials } from '../../tools/prove/replay/inject.ts'
import { marketOf, replay } from '../../tools/prove/replay/sources.ts'
import { type Observation, readSeries, type Series } from '../../tools/prove/replay/series.ts'
import { type ReplaySource, simulate } from '../../tools/prove/replay/simulate.ts'
import { DISTORTIONS, inject, scale, shift, slice } from '../support/inject.ts'
import { pathOf } from './recordings.ts'

/**
 * Told by one recording alone while the pair's relatives stood: a tax that ended, a unit that was
 * changed by a hundred, a step of 6 % in an hour. They are held until somebody looks.
 */
const LEFT_TO_OPERATOR = [
  'USD/TARJETA 2024-12-23',
  'CLP/OFICIAL 2024-09-06',
  'BRL/OFICIAL 2025-01-29',
]

const HOURLY = pathOf('data/dolarapi-hourly/')
const DOLARAPI = pathOf('documents/dolarapi/')

describe('on the recorded series', () => {
  it.each([
    ['dolares-hourly.csv', 'ambito-dolares-changes.csv'],
    ['ambito-dolares-changes.csv', 'dolares-hourly.csv'],
  ])('%s with %s: no known fault passes, moves are in time, little is held', (a, b) => {
    const replayed = [...replay([hourly(a), hourly(b)])]
    const incidents = readIncidents(`${HOURLY}incidents.csv`)
    const passed = replayed.flatMap(({ pair, simulation }) =>
      publishedIncidents(incidents, pair as PairKey, simulation.publications),
    )
    expect(incidents.length).toBeGreaterThan(20)
    expect(passed).toEqual([])

    const both = replayed.filter(({ simulation }) => simulation.sources === 2)
    const confirmed = both.flatMap(({ report }) =>
      report.moves.map((move) => move.delayConfirmed ?? 0),
    )
    // The card dollar of 23 Dec 2024, which one source told three days before the other.
    expect(Math.max(0, ...confirmed)).toBeLessThanOrEqual(120)
    expect(both.flatMap(({ report }) => report.grossPublished)).toEqual([])

    const held = replayed.reduce((sum, { report }) => sum + report.correctHeld, 0)
    const changes = replayed.reduce((sum, { report }) => sum + report.changes, 0)
    expect(held / changes).toBeLessThan(0.004)
  })

  it.each(['ambito-dolares-changes.csv', 'cotizaciones-changes.csv'])(
    '%s alone: moves within two hours, or left to the operator while relatives stand; little is held',
    (a) => {
      const replayed = [...replay([hourly(a)])]
      for (const { pair, report, simulation } of replayed) {
        for (const { at, delay } of report.moves) {
          const isLeft = LEFT_TO_OPERATOR.includes(`${pair} ${formatUtc(at).slice(0, 10)}`)
          if (!isLeft) expect(delay).toBeLessThanOrEqual(120)
          else expect(simulation.holds.some((hold) => hold.at <= at + HOUR_MS)).toBe(true)
        }
      }
      // Every reading of the new unit waits for the operator.
      const classified = replayed.filter(({ pair }) => pair !== 'CLP/OFICIAL')
      const held = classified.reduce((sum, { report }) => sum + report.correctHeld, 0)
      const changes = classified.reduce((sum, { report }) => sum + report.changes, 0)
      expect(held / changes).toBeLessThan(0.004)
    },
  )

  it('2026: no correct value of two sources is held', () => {
    const files = ['dolares', 'ambito'].map((name) =>
      readSeries(`${DOLARAPI}${name}_2026-01_2026-02.jsonl`),
    )
    const reports = [...replay(files)].map(({ report }) => report)
    expect(reports.map(({ correctHeld }) => correctHeld)).toEqual(reports.map(() => 0))
  })
})

describe('of the 34 glitches recorded in 2026, none of two per cent and no crossed sides are published', () => {
  const glitches = readGlitches()

  it('are all here', () => expect(glitches).toHaveLength(34))

  it.each([
    ['beside another source', ['dolares', 'ambito']],
    ['as the first of two sources', ['ambito', 'dolares']],
  ])('%s', (_, names) => {
    const faults = glitches.filter(({ off }) => off >= 0.02)
    expect(faults).toHaveLength(7 + 11)
    expect(publishedOf(faults, names)).toEqual([])
  })

  it('crossed sides: not by their source alone either', () => {
    expect(
      publishedOf(
        glitches.filter(({ pair }) => pair === 'USD/MAYORISTA'),
        ['ambito'],
      ),
    ).toEqual([])
  })
})

describe('with faults and moves put into the recorded series', () => {
  const a = readSeries(`${HOURLY}dolares-hourly.csv`)
  const b = readSeries(`${HOURLY}ambito-dolares-changes.csv`)
  const from = Date.parse('2025-01-10T00:00:00Z')
  const window = fc.record({
    key: fc.constantFrom<PairKey>(
      'USD/BLUE',
      'USD/BOLSA',
      'USD/OFICIAL',
      'USD/MAYORISTA',
      'USD/TARJETA',
    ),
    at: fc.integer({ min: from, max: from + 70 * DAY_MS }),
  })

  it('a move has arrived when it is published in the readings of any source', () => {
    // Crypto's second recording lies 2.7 % below the first: after +3 % it says the old sell.
    const market = marketOf([a, b]).filter(({ pair }) => pairKey(pair) === 'USD/CRIPTO')
    const { results } = injectTrials(market, {
      seeds: [3],
      trials: 12,
      fault: 'first',
    })
    const delays = results
      .filter((one) => isMove(one) && one.mode === 'two')
      .map((one) => delayOf(one as Extract<typeof one, { trial: { what: 'move' } }>))
    expect(delays.length).toBeGreaterThan(30)
    expect(Math.max(...delays)).toBeLessThanOrEqual(10)
  })

  // A value that a live source contradicts is held for four hours at most (docs/guard.md).
  const faultHours = fc.integer({ min: 1, max: 3 })

  it.each(Object.entries(DISTORTIONS))(
    '%s passes from no single source with a second one',
    (_, distort) => {
      fc.assert(
        fc.property(window, faultHours, ({ key, at }, hours) => {
          const honest = cut(a.observations.get(key)!, at)
          const faulty = inject(honest, at, hours, distort)
          const second = cut(b.observations.get(key)!, at)
          const pair = findPairByKey(key)!
          const { publications } = simulate(pair, [source('a', faulty), source('b', second)])
          const wrong = publications.filter(
            (one) => one.at > at && Math.abs(Math.log(one.sell / honest[0]!.sell)) > 0.2,
          )
          expect(wrong).toEqual([])
        }),
        { numRuns: 6, seed: 2026 },
      )
    },
  )

  it('a spike of 15 to 60 % of one source does not pass while a second one lives', () => {
    const step = fc.double({ min: 0.15, max: 0.55, noNaN: true })
    fc.assert(
      fc.property(window, faultHours, step, fc.boolean(), ({ key, at }, hours, step, up) => {
        const honest = cut(a.observations.get(key)!, at)
        const faulty = inject(honest, at, hours, scale(up ? 1 + step : 1 - step))
        const sources = [source('a', faulty), source('b', cut(b.observations.get(key)!, at))]
        const { publications } = simulate(findPairByKey(key)!, sources)
        const wrong = publications.filter(
          (one) => one.at > at && Math.abs(Math.log(one.sell / honest[0]!.sell)) > 0.12,
        )
        expect(wrong).toEqual([])
      }),
      { numRuns: 25, seed: 2026 },
    )
  })

  it('a devaluation passes: with two sources in 15 minutes of the second, with one in two hours', () => {
    const factor = fc.constantFrom(1.07, 1.12, 1.22, 2.18, 0.81)
    const lag = fc.constantFrom(0, 5, 60, 180).map((minutes) => minutes * MINUTE_MS)
    fc.assert(
      fc.property(window, factor, lag, fc.boolean(), ({ key, at }, factor, lag, alone) => {
        const moved = shift(cut(a.observations.get(key)!, at), at, factor)
        const second = shift(cut(b.observations.get(key)!, at), at + lag, factor)
        const sources = [source('a', moved), ...(alone ? [] : [source('b', second)])]
        const { publications } = simulate(findPairByKey(key)!, sources)
        const target = moved.findLast((one) => one.at <= at)!.sell
        const arrived = publications.find(
          (one) =>
            one.at >= at && Math.abs(Math.log(one.sell / target)) < Math.abs(Math.log(factor)) / 3,
        )
        const limit = alone ? 2 * HOUR_MS : lag + 15 * MINUTE_MS
        expect(arrived ? arrived.at - at : Infinity).toBeLessThanOrEqual(limit)
      }),
      { numRuns: 40, seed: 2026 },
    )
  })
})

interface Glitch {
  pair: PairKey
  at: number
  sell: number
  /** How far it was from another source in the same minute; 1 where the sides crossed. */
  off: number
}

function readGlitches(): Glitch[] {
  const lines = readFileSync(pathOf('documents/derived/real_glitches_2026.jsonl'), 'utf8').trim()
  return lines.split('\n').map((line) => {
    const { at, value, venta, dolarhoy_same_minute: other } = JSON.parse(line)
    const pair = value === undefined ? 'USD/MAYORISTA' : 'USD/CCL'
    const off = value === undefined ? 1 : Math.abs(value / other - 1)
    return { pair, at: Date.parse(at), sell: numberToPrice(value ?? venta), off }
  })
}

function hourly(name: string): Series {
  return readSeries(HOURLY + name)
}

function cut(series: readonly Observation[], at: number): Observation[] {
  return slice(series, at - 2 * DAY_MS, at + 2 * DAY_MS)
}

function source(name: string, observations: readonly Observation[]): ReplaySource {
  return { name, provenance: name, observations }
}

function publishedOf(faults: readonly Glitch[], names: readonly string[]): Glitch[] {
  const files = names.map((name) => readSeries(`${DOLARAPI}${name}_2026-01_2026-02.jsonl`))
  const replayed = [...replay(files)]
  return faults.filter((fault) =>
    replayed.some(
      ({ pair, simulation }) =>
        pair === fault.pair &&
        simulation.publications.some(
          ({ at, sell }) => sell === fault.sell && at >= fault.at && at - fault.at <= 2 * HOUR_MS,
        ),
    ),
  )
}
