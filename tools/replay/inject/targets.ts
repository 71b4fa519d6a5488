/** What the guard must reach on the given data, with faults in the first of two sources. */
import { type Figures, percent, percentile } from './figures.ts'
import type { FaultKind } from './kinds.ts'

export interface Target {
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

export const TARGETS: readonly Target[] = [
  {
    name: 'power of ten, 0/1, other pair, sides swapped, separator',
    ...share((figures) => figures.out('two', GROSS), 0),
  },
  {
    name: 'mistyped digit, one side only, +3 to +12 %',
    ...share((figures) => figures.out('two', MILD), 1),
  },
  {
    name: `stale for hours: kept over half an hour once others moved by a usual step`,
    ...share((figures) => figures.out('two', ['stale']), 5),
  },
  {
    name: 'stale for hours: longest kept once others moved by a usual step',
    ...minutes(
      (figures) => figures.faults('two', ['stale']).map(({ outcome }) => outcome.keptMinutes),
      1,
      30,
    ),
  },
  {
    name: 'all of them, one source alone',
    ...share((figures) => figures.out('alone'), 8),
  },
  {
    name: 'genuine moves shown by both: p50',
    ...minutes((figures) => figures.delays('two'), 0.5, 5),
  },
  {
    name: 'genuine moves shown by both: worst',
    ...minutes((figures) => figures.delays('two'), 1, 10),
  },
  {
    name: 'genuine moves told by one source alone: worst',
    ...minutes((figures) => figures.delays('alone'), 1, 120),
  },
  {
    name: 'genuine moves told by one source alone: worst of ±3 and ±5 %',
    ...minutes((figures) => figures.delays('alone', SMALL_MOVES), 1, 60),
  },
  {
    name: 'correct changes held over 10 minutes',
    ...share((figures) => figures.correctHeld('two'), 0.05),
  },
  {
    name: 'a correct source shut out: longest',
    unit: 'min',
    most: 120,
    figure: (figures) =>
      figures.faults('two').length === 0 ? null : figures.longestShutOut('two'),
  },
]

function share(of: (figures: Figures) => { count: number; of: number }, most: number) {
  return {
    unit: '%' as const,
    most,
    figure(figures: Figures) {
      const found = of(figures)
      return found.of === 0 ? null : percent(found)
    },
  }
}

function minutes(of: (figures: Figures) => readonly number[], at: number, most: number) {
  return {
    unit: 'min' as const,
    most,
    figure(figures: Figures) {
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
