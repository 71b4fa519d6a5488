/** What the guard must reach on the given data, with faults in the first of two sources. */
import { type Figures, percent, percentile, type Share } from './figures.ts'
import type { FaultKind } from './kinds.ts'

interface Target {
  name: string
  unit: '%' | 'min'
  most: number
  /** Null when no trial tells. */
  figure(figures: Figures): number | null
}

export const GROSS: readonly FaultKind[] = [
  '×10',
  '÷10',
  '×100',
  'zero',
  'one',
  'another pair',
  'sides swapped',
  'separator misread',
]
export const MILD: readonly FaultKind[] = [
  'digit mistyped',
  'digit dropped',
  'one side only',
  '+3 to +12 %',
]

/** Steps of less than twice what is usual for any pair. */
const SMALL_MOVES = [0.03, -0.03, 0.05, -0.05]

const TARGETS: readonly Target[] = [
  share('power of ten, 0/1, other pair, sides swapped, separator', 0, (of) => of.out('two', GROSS)),
  share('mistyped digit, one side only, +3 to +12 %', 1, (of) => of.out('two', MILD)),
  share('stale for hours: kept over half an hour once others moved by a usual step', 5, (of) =>
    of.out('two', ['stale']),
  ),
  minutes('stale for hours: longest kept once others moved by a usual step', 30, 1, (of) =>
    of.faults('two', ['stale']).map(({ outcome }) => outcome.keptMinutes),
  ),
  share('all of them, one source alone', 8, (of) => of.out('alone')),
  minutes('genuine moves shown by both: p50', 5, 0.5, (of) => of.delays('two')),
  minutes('genuine moves shown by both: worst', 10, 1, (of) => of.delays('two')),
  minutes('genuine moves told by one source alone: worst', 120, 1, (of) => of.delays('alone')),
  minutes('genuine moves told by one source alone: worst of ±3 and ±5 %', 60, 1, (of) =>
    of.delays('alone', SMALL_MOVES),
  ),
  share('correct changes held over 10 minutes', 0.05, (of) => of.correctHeld('two')),
  minutes('a correct source shut out: longest', 120, 1, (of) =>
    of.faults('two').length === 0 ? [] : [of.longestShutOut('two')],
  ),
]

function share(name: string, most: number, of: (figures: Figures) => Share): Target {
  const figure = (figures: Figures) => (of(figures).of === 0 ? null : percent(of(figures)))
  return { name, unit: '%', most, figure }
}

/** `at` is the percentile that counts. */
function minutes(
  name: string,
  most: number,
  at: number,
  of: (figures: Figures) => readonly number[],
): Target {
  return {
    name,
    unit: 'min',
    most,
    figure(figures) {
      const found = of(figures).toSorted((a, b) => a - b)
      return found.length === 0 ? null : percentile(found, at)
    },
  }
}

export interface Verdict extends Omit<Target, 'figure'> {
  reached: number | null
  /** A figure that no trial tells is no proof. */
  isMet: boolean
}

export function verdicts(figures: Figures): Verdict[] {
  return TARGETS.map(({ name, unit, most, figure }) => {
    const reached = figure(figures)
    return { name, unit, most, reached, isMet: reached !== null && reached <= most }
  })
}
