/** What the guard must reach on the given data, with faults in the first of two sources. */
import { columns } from '../../support/table.ts'
import { type Figures, percent, percentile, type Share } from './figures.ts'
import type { FaultKind } from './kinds.ts'

interface Target {
  name: string
  unit: '%' | 'min' | ''
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

const TARGETS: readonly Target[] = [
  share('gross faults, two sources', 0, (of) => of.out('two', GROSS)),
  share('gross faults, one alone', 0, (of) => of.out('alone', GROSS)),
  share('mild faults, two sources', 0.7, (of) => of.out('two', MILD)),
  share('mild faults, one alone', 5, (of) => of.out('alone', MILD)),
  share('stale: over half an hour', 2, (of) => of.out('two', ['stale'])),
  minutes('stale: longest', 60, 1, (of) =>
    of.faults('two', ['stale']).map(({ outcome }) => outcome.keptMinutes),
  ),
  share('both wrong, differently', 5, (of) => of.out('two', ['both wrong'])),
  minutes('moves shown by both: p50', 2.5, 0.5, (of) => of.delays('two')),
  minutes('moves shown by both: worst', 5, 1, (of) => of.delays('two')),
  minutes('moves of the recordings shown by both: worst', 15, 1, (of) => of.naturalDelays()),
  minutes('moves told by one alone and by relatives: worst', 120, 1, (of) =>
    of.delays('alone', ({ relativesAt }) => relativesAt !== null),
  ),
  share('correct changes held over 10 minutes', 0.04, (of) => of.correctHeld('two')),
  {
    name: 'natural faults published against a source',
    unit: '',
    most: 0,
    figure: (of) => (of.contradicted().of === 0 ? null : of.contradicted().count),
  },
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

export interface TargetResult extends Omit<Target, 'figure'> {
  reached: number | null
  /** A figure that no trial tells is no proof. */
  isMet: boolean
}

export function reachedTargets(figures: Figures): TargetResult[] {
  return TARGETS.map(({ name, unit, most, figure }) => {
    const reached = figure(figures)
    return { name, unit, most, reached, isMet: reached !== null && reached <= most }
  })
}

/** The table of docs/guard.md. */
export function targetTable(found: readonly TargetResult[]): string {
  const rows = found.map(({ name, most, unit, reached, isMet }) => [
    name,
    `${most} ${unit}`.trim(),
    reached === null ? 'no trial' : `${rounded(reached)} ${unit}`.trim(),
    isMet ? 'met' : 'MISSED',
  ])
  return columns([['target', 'at most', 'reached', ''], ...rows]).join('\n')
}

function rounded(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toFixed(2))) : 'never'
}
