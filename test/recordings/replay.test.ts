import { readFileSync } from 'node:fs'
import { sum } from 'simple-statistics'
import { describe, expect, it } from 'vitest'
import { formatUtc, HOUR_MS } from '../../shared/argentine-time.ts'
import { type PairKey, pairKey } from '../../shared/market/catalog.ts'
import { numberToPrice } from '../../shared/market/price.ts'
import { publishedIncidents, readIncidents } from '../support/incidents.ts'
import { classify, evaluate } from '../../tools/prove/replay/oracle.ts'
import { type Publication, simulate } from '../../tools/prove/replay/simulate.ts'
import {
  marketOf,
  type PairSources,
  readOf,
  readSeries,
  type Series,
} from '../../tools/prove/replay/sources.ts'
import { distance } from '../../workers/scraper/guard/level.ts'
import { pathOf } from './recordings.ts'

/**
 * A tax that ended, which only one recording shows while the relatives did not move. The guard
 * holds it until an operator decides, or until the other recording shows it.
 */
const LEFT_TO_OPERATOR = ['USD/TARJETA 2024-12-23']

const HOURLY = pathOf('data/dolarapi-hourly/')
const DOLARAPI = pathOf('documents/dolarapi/')
const incidents = readIncidents(`${HOURLY}incidents.csv`)

describe('on the recorded series', () => {
  it.each([
    [['dolares-hourly.csv', 'ambito-dolares-changes.csv']],
    [['ambito-dolares-changes.csv', 'dolares-hourly.csv']],
    [['ambito-dolares-changes.csv']],
    [['cotizaciones-changes.csv']],
  ])(
    '%s: no known fault beside a second source passes, moves are told in time, little is held',
    (names) => {
      const replayed = replay(names.map((name) => readSeries(HOURLY + name)))
      for (const { report, publications, holds, key, ...pair } of replayed) {
        if (names.length > 1) {
          expect(publishedIncidents(incidents, key, publications)).toEqual([])
          expect(report.contradicted).toBe(0)
        }
        for (const at of movesLate(pair, publications)) {
          expect(LEFT_TO_OPERATOR).toContain(`${key} ${formatUtc(at).slice(0, 10)}`)
          expect(holds.some((hold) => hold.at <= at + HOUR_MS)).toBe(true)
        }
      }
      // Every reading of CLP in its new unit is held for the operator.
      const counted = replayed.filter(({ key }) => key !== 'CLP/OFICIAL')
      const held = sum(counted.map(({ report }) => report.correctHeld))
      expect(held / sum(counted.map(({ report }) => report.changes))).toBeLessThan(0.004)
    },
  )

  it('has its known faults', () => expect(incidents.length).toBeGreaterThan(20))

  it('2026: no correct value of two sources is held', () => {
    const reports = replay(filesOf2026(['dolares', 'ambito'])).map(({ report }) => report)
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

interface Glitch {
  pair: PairKey
  at: number
  sell: number
  /** Its distance from another source in the same minute; 1 where the sides cross. */
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

/** Genuine moves of a sell by 5 % or more that were not published within two hours. */
function movesLate({ sources }: PairSources, publications: readonly Publication[]) {
  return sources
    .flatMap((source) => classify(readOf(source)).moves)
    .filter(({ at, from, to }) => {
      const step = Math.abs(distance(from.sell, to.sell))
      // The value in effect at the beginning may be the new value already.
      const before = publications.findLastIndex((one) => one.at < at)
      const arrived = publications
        .slice(Math.max(before, 0))
        .find(({ sell }) => Math.abs(distance(to.sell, sell)) <= step / 3)
      return step >= Math.log1p(0.05) && !(arrived && arrived.at - at <= 2 * HOUR_MS)
    })
    .map(({ at }) => at)
}

/** Every pair in the files, with labels for the readings of each source. */
function replay(files: readonly Series[]) {
  return simulate(marketOf(files)).map((one) => ({
    ...one,
    key: pairKey(one.pair),
    report: evaluate(one),
  }))
}

function filesOf2026(names: readonly string[]): Series[] {
  return names.map((name) => readSeries(`${DOLARAPI}${name}_2026-01_2026-02.jsonl`))
}

function publishedOf(faults: readonly Glitch[], names: readonly string[]): Glitch[] {
  const replayed = replay(filesOf2026(names))
  return faults.filter((fault) =>
    replayed.some(
      ({ key, publications }) =>
        key === fault.pair &&
        publications.some(
          ({ at, sell }) => sell === fault.sell && at >= fault.at && at - fault.at <= 2 * HOUR_MS,
        ),
    ),
  )
}
