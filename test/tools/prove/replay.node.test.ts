import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { findPairByKey, pairKey } from '../../../shared/market/catalog.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { inject, runTrial, type TrialWorld } from '../../../tools/prove/replay/inject.ts'
import { KINDS, Random, times } from '../../../tools/prove/replay/kinds.ts'
import { isSlip } from '../../../tools/prove/replay/oracle.ts'
import { PairRun, simulate } from '../../../tools/prove/replay/simulate.ts'
import {
  CYCLE_MS,
  cyclesIn,
  marketOf,
  type Observation,
  readingAt,
  readSeries,
} from '../../../tools/prove/replay/sources.ts'
import { siteOf, type Trial } from '../../../tools/prove/replay/trials.ts'
import { widest } from '../../../workers/scraper/guard/level.ts'
import { openScratch } from '../../../tools/support/scratch.ts'
import { publishedIncidents, readIncidents } from '../../support/incidents.ts'

const BLUE = findPairByKey('USD/BLUE')!
/** A Monday, at the opening of the quotes. */
const START = Date.parse('2026-03-02T12:00:00Z')

describe('real days of the repository', () => {
  const SERIES = 'test/fixtures/series/'
  const incidents = readIncidents(`${SERIES}incidents.csv`)

  it.each([
    ['a dropped digit beside another', ['dolares-hourly', 'ambito-dolares-changes'], '2024-02'],
    ['a dropped digit of the only source', ['dolares-hourly'], '2024-02'],
    ['everything times 100 for three hours', ['dolares-hourly'], '2024-09'],
  ])('no known fault passes: %s', (_, names, month) => {
    const market = marketOf(names.map((name) => readSeries(`${SERIES}${name}-${month}.csv`)))
    const simulations = simulate(market)
    expect(simulations.length).toBeGreaterThan(0)
    for (const { pair, publications } of simulations)
      expect(publishedIncidents(incidents, pairKey(pair), publications)).toEqual([])
  })
})

it.each(KINDS.filter(({ name }) => name !== 'stale'))(
  'a fault is plainly wrong, cut to the decimals of the pair, and ends within hours: $name',
  ({ make, minutes }) => {
    for (let seed = 0; seed < 200; seed += 1) {
      const random = new Random(seed, 'kind')
      const honest = { buy: numberToPrice(1125.5), sell: numberToPrice(1145.5 + seed) }
      for (const distortion of make({ pair: BLUE, honest, random })) {
        const shown = distortion(honest)
        expect(widest(honest, shown) > 0.0195 || shown.sell < shown.buy).toBe(true)
        expect([shown.buy % 100, shown.sell % 100]).toEqual([0, 0])
      }
      expect(minutes(random)).toBeGreaterThan(0)
      expect(minutes(random)).toBeLessThanOrEqual(180)
    }
  },
)

it.each<[what: string, readings: string, expected: boolean]>([
  ['taken back by the next value', '0 990/1000, 5 990/1040, 24 991/1003', true],
  ['a move that stays', '0 990/1000, 5 1030/1040, 6 1028/1038, 9 990/1000', false],
  ['a small step', '0 990/1000, 5 1005/1015, 6 990/1000', false],
  ['one side copied', '0 980/1000, 5 1000/1000, 9 1000/1000', true],
  ['a book that crosses', '0 990/1000, 5 1001/1000, 6 1001/1000', true],
])('a held value is a slip: %s', (_, readings, expected) => {
  const series = readings.split(', ').map((text) => {
    const [hours, buy, sell] = text.split(/[ /]/).map(Number) as [number, number, number]
    return { at: hours * HOUR_MS, buy: numberToPrice(buy), sell: numberToPrice(sell) }
  })
  expect(isSlip(BLUE, series, 5 * HOUR_MS + MINUTE_MS)).toBe(expected)
})

describe('a trial', () => {
  const from = START + 7 * DAY_MS + 3 * HOUR_MS

  it('counts a fault that the guard must believe, but no fault that it holds', () => {
    const fault = { ...TRIAL, until: from + 30 * HOUR_MS }
    const [believed, held] = [1.04, 10].map((factor) => [{ from, distortion: times(BLUE, factor) }])
    expect(runTrial({ ...fault, faults: believed! }, worldOf(1))).toBeLessThan(30 * 60)
    expect(runTrial({ ...fault, faults: held! }, worldOf(2))).toBe(Infinity)
  })

  it('counts how long a value stays in effect after the honest readings moved away', () => {
    const world = worldOf(2, 1.05)
    const stale = readingAt(world.site.sources[0]!.observations, from)!
    const faults = [{ from, distortion: () => stale }]
    const until = from + 5 * HOUR_MS
    // The move comes an hour into the fault. Only the second source shows it.
    const minutes = runTrial({ ...TRIAL, group: 'stale', until, faults }, world)
    expect(minutes).toBeGreaterThan(60)
    expect(minutes).toBeLessThanOrEqual(4 * 60)
  })

  it('counts the delay of a move from when the second source shows it', () => {
    const faults = [0, 17].map((minutes) => {
      return { from: from + minutes * MINUTE_MS, distortion: times(BLUE, 1.2) }
    })
    const move: Trial = { ...TRIAL, group: 'move', until: from + 14 * DAY_MS, faults }
    expect(runTrial(move, worldOf(2))).toBeLessThanOrEqual(10)
    expect(runTrial(move, worldOf(1))).toBeGreaterThan(17)
  })

  const TRIAL: Trial = { group: 'mild', from, until: from, faults: [], relativesAt: null }

  /** One or two sources, and the guard's state after a week of them; then both may move. */
  function worldOf(count: 1 | 2, later = 1): TrialWorld {
    const sources = sourcesOf(28 * 24, (at) => (at > from ? later : 1)).slice(0, count)
    const run = new PairRun({ pair: BLUE, sources })
    for (let now = START; now < from; now += CYCLE_MS) run.cycle(now, [])
    return { site: siteOf({ pair: BLUE, sources }), state: run.state, market: () => [] }
  }
})

it('a seed gives the same trials and outcomes whatever other seeds there are', () => {
  const market = [{ pair: BLUE, sources: sourcesOf(14 * 24) }]
  const outcomes = (...seeds: number[]) => {
    const { two, alone } = inject(market, seeds)
    return [...two, ...alone].map((one) => JSON.stringify(one))
  }
  const ofBoth = [...outcomes(1), ...outcomes(2)]
  expect(ofBoth.length).toBeGreaterThan(20)
  expect(outcomes(1, 2).toSorted()).toEqual(ofBoth.toSorted())
})

it('npm run replay prints each figure, its limit, and the figures that no trial measured', () => {
  using scratch = openScratch()
  const files = sourcesOf(28 * 24).map(({ name, observations }) => {
    const rows = observations.map(
      ({ at, buy, sell }) =>
        `${new Date(at).toISOString()},USD,blue,${buy / 10_000},${sell / 10_000}`,
    )
    const path = scratch.file(`${name}.csv`)
    writeFileSync(path, ['observed_at,moneda,casa,compra,venta', ...rows].join('\n'))
    return path
  })
  const two = run('--a', files[0]!, '--b', files[1]!)
  expect(two).toMatch(/^gross faults, two sources +0 % +0 % +met$/m)
  expect(two).toMatch(/^moves shown by both: worst +5 min +[1-5](\.\d+)? min +met$/m)
  expect(run('--a', files[0]!)).toMatch(/^stale: longest +60 min +no trial +MISSED$/m)
  expect(() => run('--a', files[0]!, '--from', 'never')).toThrow(/never is no day/)
})

function run(...args: string[]): string {
  const command = ['tools/prove/replay.ts', '--inject', '1', ...args]
  return execFileSync('node', command, { encoding: 'utf8' })
}

/** Two sources of a price that changes a little every hour; the second differs by a hair. */
function sourcesOf(hours: number, factorAt: (at: number) => number = () => 1) {
  const asked = cyclesIn({ start: START, end: START + hours * HOUR_MS }, [
    { days: 'weekdays', windows: [[540, 1200]] },
  ])
  return ['a', 'b'].map((name, aside) => {
    const random = new Random(3, 'walk')
    let level = 1200
    const observations = Array.from({ length: hours }, (_, hour): Observation => {
      level *= 1 + random.between(-0.003, 0.003)
      const at = START + hour * HOUR_MS
      const buy = Math.round((level + aside) * 100 * factorAt(at)) * 100
      return { at, buy, sell: buy + 200_000 }
    })
    return {
      name,
      provenance: name,
      sameDefinition: true,
      onlySell: false,
      asked,
      observations,
    }
  })
}
