import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/argentine-time.ts'
import { findPairByKey } from '../../../../shared/market/catalog.ts'
import { NEVER_READ, PairRun, type ReplaySource } from '../../../../tools/prove/replay/simulate.ts'
import {
  distort,
  KINDS,
  type Kind,
  type Sides,
  times,
  Random,
} from '../../../../tools/prove/replay/kinds.ts'
import { inject, type InjectOptions } from '../../../../tools/prove/replay/inject.ts'
import { honestOf, readingAt } from '../../../../tools/prove/replay/market.ts'
import type { FaultTrial, MoveTrial } from '../../../../tools/prove/replay/plan.ts'
import { runFault, runMove, type TrialWorld, Stretch } from '../../../../tools/prove/replay/run.ts'
import { stepBetween } from '../../../../tools/prove/replay/evaluate.ts'
import type { Observation } from '../../../../tools/prove/replay/series.ts'
import { CYCLE_MS, timetables } from '../../../../tools/prove/replay/timetable.ts'

const BLUE = findPairByKey('USD/BLUE')!
const BOLSA = findPairByKey('USD/BOLSA')!
/** A Monday, at the opening of the quotes. */
const START = Date.parse('2026-03-02T12:00:00Z')
const SPAN = 28 * DAY_MS

const folder = mkdtempSync(join(tmpdir(), 'replay-inject-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a random stream', () => {
  it('is the same for the same seed and name, and another for another', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.string(), (seed, name) => {
        const one = draw(new Random(seed, name))
        expect(draw(new Random(seed, name))).toEqual(one)
        expect(draw(new Random(seed + 1, name))).not.toEqual(one)
        expect(draw(new Random(seed, `${name}.`))).not.toEqual(one)
        expect(one.every((unit) => unit >= 0 && unit < 1)).toBe(true)
      }),
    )
  })
})

describe('a fault', () => {
  const honest = fc
    .record({ buy: fc.integer({ min: 100, max: 3000 }), share: fc.integer({ min: 5, max: 60 }) })
    .map(({ buy, share }) => ({
      buy: buy * 10_000,
      sell: buy * 10_000 + Math.round((buy * share) / 10) * 100,
    }))

  it.each(KINDS.filter(({ name }) => name !== 'stale').map((kind) => [kind.name, kind] as const))(
    '%s is plainly wrong, cut to the decimals of the pair, and ends within hours',
    (_, kind) => {
      fc.assert(
        fc.property(honest, fc.integer({ min: 0 }), (reading, seed) => {
          const fault = make(kind, reading, seed)
          if (!fault) return

          expect(fault.distortions).toHaveLength(kind.name === 'both wrong' ? 2 : 1)
          for (const distortion of fault.distortions) {
            const shown = distortion(reading)
            expect(isWrong(reading, shown)).toBe(true)
            expect([shown.buy % 100, shown.sell % 100]).toEqual([0, 0])
          }
          expect(fault.minutes).toBeGreaterThan(0)
          expect(fault.minutes).toBeLessThanOrEqual(180)
        }),
      )
    },
  )

  it('stale says what it said at its beginning, for three to ten hours', () => {
    const reading = { buy: 10_000_000, sell: 10_200_000 }
    const fault = make(kindNamed('stale'), reading, 1)!
    expect(fault.distortions[0]!({ buy: 1, sell: 2 })).toEqual(reading)
    expect(fault.minutes / 60).toBeGreaterThanOrEqual(3)
    expect(fault.minutes / 60).toBeLessThanOrEqual(10)
  })

  it('is none where nobody could see it: sides swapped of a quote without a spread', () => {
    expect(make(kindNamed('sides swapped'), { buy: 10_000_000, sell: 10_000_000 }, 1)).toBeNull()
  })

  it('inverts a bond ratio only beyond what bonds invert by themselves', () => {
    expect(swapOfBonds(10_200_000)).toBeNull()
    expect(swapOfBonds(10_300_000)).not.toBeNull()
  })

  it('lies in its own time alone', () => {
    const hours = fc.integer({ min: 0, max: 100 })
    fc.assert(
      fc.property(hours, fc.integer({ min: 1, max: 48 }), hours, (begin, length, asked) => {
        const series = walk(1, 100)
        const from = START + begin * HOUR_MS + 7 * MINUTE_MS
        const until = from + length * HOUR_MS
        const span = { from, until, end: START + 400 * HOUR_MS }
        const faulty = distort(series, span, times(BLUE, 10, 10))
        const now = Math.max(from - HOUR_MS, START) + asked * HOUR_MS
        const reading = readingAt(series, now)!
        const shown = now >= from && now < until ? times(BLUE, 10, 10)(reading) : reading
        expect(readingAt(faulty, now)).toMatchObject({ buy: shown.buy, sell: shown.sell })
        const stamps = distort(series, span, () => series[0]!).map(({ at }) => at)
        expect(stamps).toEqual(stamps.toSorted((a, b) => a - b))
      }),
    )
  })
})

describe('a trial', () => {
  const until = START + 7 * DAY_MS + 3 * HOUR_MS

  it('counts a fault that the guard cannot but believe', () => {
    const outcome = runFault(faultOf(times(BLUE, 1.04, 1.04), 30 * HOUR_MS), worldOf('alone'))
    expect(outcome.published).not.toBeNull()
    const { shown, honest } = outcome.published!
    expect(shown.sell / honest.sell).toBeCloseTo(1.04, 3)
  })

  it('counts no fault where the value is held, nor honest values beside it', () => {
    const outcome = runFault(faultOf(times(BLUE, 10, 10), HOUR_MS), worldOf('two'))
    expect(outcome).toMatchObject({ published: null, keptMinutes: 0 })
  })

  it('counts how long a value is kept that the honest readings have left', () => {
    const world = worldOf('alone', 1.05)
    const stale = readingAt(world.read[0]!.observations, until)!
    const outcome = runFault(
      faultOf(() => stale, 5 * HOUR_MS, 'stale'),
      world,
    )
    // The move is an hour into the fault; then nobody tells the guard for four.
    expect(outcome.published).toBeNull()
    expect(outcome.keptMinutes).toBeGreaterThan(3.5 * 60)
    expect(outcome.keptMinutes).toBeLessThanOrEqual(4 * 60)
  })

  it('counts the delay of a move from the second sight of it', () => {
    const lag = 17 * MINUTE_MS
    const { delay } = runMove(moveOf(0.2, { a: 0, b: lag }), worldOf('two'))
    expect(delay).not.toBeNull()
    expect(delay!).toBeLessThanOrEqual(10)
    expect(runMove(moveOf(0.2, { a: 0, b: lag }), worldOf('alone')).delay!).toBeGreaterThan(17)
  })

  it('leaves the state that it began from as it was', () => {
    const world = worldOf('two')
    const before = JSON.stringify(world.state)
    runFault(faultOf(times(BLUE, 1.04, 1.04), 30 * HOUR_MS), world)
    expect(JSON.stringify(world.state)).toBe(before)
  })

  function faultOf(
    distortion: (honest: Sides) => Sides,
    length: number,
    kind: FaultTrial['kind'] = '+3 to +12 %',
  ): FaultTrial {
    return {
      what: 'fault',
      seed: 1,
      pair: 'USD/BLUE',
      from: until,
      until: until + length,
      kind,
      distortions: new Map([['a', distortion]]),
      needsTwo: false,
    }
  }

  function moveOf(step: number, lags: Record<string, number>): MoveTrial {
    const shownAt = new Map(Object.entries(lags).map(([name, lag]) => [name, until + lag]))
    return {
      what: 'move',
      seed: 1,
      pair: 'USD/BLUE',
      from: until,
      step,
      shownAt,
      relativesAt: null,
    }
  }

  /** Two sources, and the guard's state once it read them for a week. */
  function worldOf(mode: 'two' | 'alone', later = 1): TrialWorld {
    const sources = ['a', 'b'].map((name, index) =>
      sourceOf(
        name,
        walk(3, SPAN / HOUR_MS, index).map((one) =>
          one.at > until ? { at: one.at, ...times(BLUE, later, later)(one) } : one,
        ),
      ),
    )
    const timetable = timetables(START, START + SPAN)
    const read = mode === 'two' ? sources : sources.slice(0, 1)
    const run = new PairRun(BLUE, read, { timetable })
    for (let now = START; now < until; now += CYCLE_MS) run.cycle(now)
    expect(run.state).not.toEqual(NEVER_READ)
    const honest = honestOf({ pair: BLUE, sources }, sources[0]!, timetable)
    return { honest, read, state: run.state, options: { timetable }, others: () => null }
  }
})

describe('an injection', () => {
  const options: InjectOptions = {
    seeds: [1, 2],
    trials: 1,
    fault: 'first',
  }
  /** Two weeks, the first of which the guard learns from. */
  const HOURS = 14 * 24
  const market = [
    { pair: BLUE, sources: [sourceOf('a', walk(1, HOURS)), sourceOf('b', walk(1, HOURS, 1))] },
    { pair: BOLSA, sources: [sourceOf('a', walk(2, HOURS)), sourceOf('b', walk(2, HOURS, 1))] },
  ]

  let all: ReturnType<typeof inject>
  beforeAll(() => {
    all = inject(market, options)
  })

  it('does the same with a seed whatever other seeds there are', () => {
    const ofSeed = ({ results }: typeof all) => results.filter(({ trial }) => trial.seed === 2)
    const alone = inject(market, { ...options, seeds: [2] })
    expect(alone.results.length).toBeGreaterThan(0)
    expect(JSON.stringify(ofSeed(alone))).toBe(JSON.stringify(ofSeed(all)))
  })

  it('faults the source that it is told to', () => {
    const { results } = inject(market, { ...options, seeds: [2], fault: 'second' })
    const names = results.flatMap(({ trial }) =>
      trial.what === 'fault' ? [...trial.distortions.keys()].slice(0, 1) : [],
    )
    expect(new Set(names)).toEqual(new Set(['b']))
  })

  it('begins no trial before the guard knows the pair, nor outside its hours', () => {
    expect(all.results.length).toBeGreaterThan(0)
    for (const { trial } of all.results) {
      expect(trial.from).toBeGreaterThan(START + 6 * DAY_MS)
      const hour = new Date(trial.from + 5 * MINUTE_MS).getUTCHours()
      expect(hour).toBeGreaterThanOrEqual(12)
      expect(hour).toBeLessThan(23)
    }
  })
})

describe('a stretch', () => {
  it('is the longest unbroken time, and counts those beyond a limit once', () => {
    const stretch = new Stretch(10)
    const cycles = 'xx.xxxx.x.xxxxxx'
    for (const cycle of cycles) stretch.note(cycle === 'x', 5 * MINUTE_MS)
    expect(stretch.longest).toBe(25)
    expect(stretch.count).toBe(2)
  })
})

describe('npm run replay', () => {
  const a = csv('a.csv', 0)
  const b = csv('b.csv', 1)
  const few = ['--inject', '1', '--trials', '2']

  it('prints the targets, and under --check fails where one is told by no trial', () => {
    const { status, output } = run(['--a', a, '--b', b, ...few])
    expect(output).toMatch(/^gross faults, two sources +0 % +0 % +met$/m)
    expect(status).toBe(0)

    const checked = run(['--a', a, ...few, '--check'])
    expect(checked.output).toMatch(/stale: longest.* no trial +MISSED/)
    expect(checked.status).toBe(1)
  })

  it('says what is wrong with a seed', () => {
    const { status, output } = run(['--a', a, '--inject', 'x'])
    expect(output).toMatch(/--inject must be a whole number/)
    expect(status).toBe(2)
  })
})

function kindNamed(name: string): Kind {
  return KINDS.find((kind) => kind.name === name)!
}

function make(kind: Kind, honest: Sides, seed: number) {
  const others = [{ buy: honest.buy * 2, sell: honest.sell * 2 }]
  return kind.make({ pair: BLUE, honest, others, random: new Random(seed, kind.name) })
}

function swapOfBonds(sell: number) {
  const honest = { buy: 10_000_000, sell }
  const random = new Random(1, 'swap')
  return kindNamed('sides swapped').make({ pair: BOLSA, honest, others: [], random })
}

function draw(from: Random): number[] {
  return Array.from({ length: 8 }, () => from.unit())
}

/** Two per cent away, or inverted. */
function isWrong(honest: Sides, shown: Sides): boolean {
  return stepBetween(honest, shown) > 0.0195 || shown.sell < shown.buy
}

function sourceOf(name: string, observations: readonly Observation[]): ReplaySource {
  const rhythm = {
    everyMinutes: 5,
    hours: { days: 'weekdays' as const, windows: [[540, 1200]] as [number, number][] },
  }
  return { name, provenance: name, rhythm, observations }
}

/** A price that wanders a little every hour; a second source says the same a hair aside. */
function walk(seed: number, hours: number, aside = 0): Observation[] {
  const random = new Random(seed, 'walk')
  let level = 1200
  return Array.from({ length: hours }, (_, hour) => {
    level *= 1 + random.between(-0.003, 0.003)
    const buy = Math.round((level + aside) * 100) * 100
    return { at: START + hour * HOUR_MS, buy, sell: buy + 200_000 }
  })
}

function csv(name: string, aside: number): string {
  const path = join(folder, name)
  const rows = walk(1, 672, aside).map(
    ({ at, buy, sell }) =>
      `${new Date(at).toISOString()},USD,blue,${buy / 10_000},${sell / 10_000}`,
  )
  writeFileSync(path, ['observed_at,moneda,casa,compra,venta', ...rows].join('\n'))
  return path
}

function run(args: string[]): { status: number; output: string } {
  const tool = new URL('../../../../tools/prove/replay.ts', import.meta.url).pathname
  try {
    const output = execFileSync(process.execPath, [tool, ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
    return { status: 0, output }
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string }
    return { status, output: stdout + stderr }
  }
}
