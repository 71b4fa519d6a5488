/** The table of docs/guard.md: each figure, how it is counted, and what the guard must reach. */
import { sum } from 'simple-statistics'
import { columns } from '../../support/table.ts'
import type { Injected, Mode } from './inject.ts'
import type { Kind } from './kinds.ts'
import { KEPT_MINUTES } from './plan.ts'

interface Figure {
  name: string
  most: number
  unit: '%' | 'min' | ''
  /** Null when no trial tells. */
  count(injected: Injected): number | null
}

const FIGURES: readonly Figure[] = [
  percent('gross faults, two sources', 0, publishedShare('two', 'gross')),
  percent('gross faults, one alone', 0, publishedShare('alone', 'gross')),
  percent('mild faults, two sources', 0.7, publishedShare('two', 'mild')),
  percent('mild faults, one alone', 5, publishedShare('alone', 'mild')),
  percent('stale: over half an hour', 2, (of) => {
    const kept = faultsOf(of, 'two', 'stale').map(({ outcome }) => outcome.keptMinutes)
    return [kept.filter((minutes) => minutes > KEPT_MINUTES).length, kept.length]
  }),
  minutes('stale: longest', 60, 1, (of) =>
    faultsOf(of, 'two', 'stale').map(({ outcome }) => outcome.keptMinutes),
  ),
  percent('both wrong, differently', 5, publishedShare('two', 'both wrong')),
  minutes('moves shown by both: p50', 2.5, 0.5, (of) => movesOf(of, 'two').map(delayOf)),
  minutes('moves shown by both: worst', 5, 1, (of) => movesOf(of, 'two').map(delayOf)),
  minutes('moves told by one alone and by relatives: worst', 120, 1, (of) =>
    movesOf(of, 'alone')
      .filter(({ trial }) => trial.relativesAt !== null)
      .map(delayOf),
  ),
  percent('correct changes held over 10 minutes', 0.04, (of) => {
    const clean = cleanOf(of)
    // Values held, or a value in effect that lags behind sources that agree.
    return [
      sum(clean.map(({ correctHeld, late }) => Math.max(correctHeld, late))),
      sum(clean.map(({ changes }) => changes)),
    ]
  }),
  {
    name: 'natural faults published against a source',
    most: 0,
    unit: '',
    count(of) {
      const clean = cleanOf(of)
      return clean.length === 0 ? null : sum(clean.map(({ contradicted }) => contradicted))
    },
  },
  minutes('a correct source shut out: longest', 120, 1, (of) => [
    ...faultsOf(of, 'two').map(({ outcome }) => outcome.shutOutMinutes),
    ...cleanOf(of).map(({ longestCorrectHold }) => longestCorrectHold),
  ]),
]

function faultsOf({ faults }: Injected, mode: Mode, group?: Kind['group']) {
  return faults.filter(
    (one) => one.mode === mode && (group === undefined || one.trial.kind.group === group),
  )
}

function movesOf({ moves }: Injected, mode: Mode) {
  return moves.filter((one) => one.mode === mode)
}

const delayOf = ({ delay }: { delay: number }) => delay

function cleanOf({ clean }: Injected) {
  return clean.filter(({ mode }) => mode === 'two')
}

function publishedShare(mode: Mode, group: Kind['group']) {
  return (of: Injected): Share => {
    const faults = faultsOf(of, mode, group)
    return [faults.filter(({ outcome }) => outcome.isPublished).length, faults.length]
  }
}

type Share = [count: number, of: number]

function percent(name: string, most: number, share: (of: Injected) => Share): Figure {
  return {
    name,
    most,
    unit: '%',
    count(injected) {
      const [count, of] = share(injected)
      return of === 0 ? null : (100 * count) / of
    },
  }
}

/** `at` is the percentile that counts. */
function minutes(
  name: string,
  most: number,
  at: number,
  found: (of: Injected) => readonly number[],
): Figure {
  return {
    name,
    most,
    unit: 'min',
    count(injected) {
      const sorted = found(injected).toSorted((a, b) => a - b)
      return sorted[Math.min(Math.floor(sorted.length * at), sorted.length - 1)] ?? null
    },
  }
}

export function tableOf(injected: Injected): string {
  const rows = FIGURES.map(({ name, most, unit, count }) => {
    const reached = count(injected)
    const isMet = reached !== null && reached <= most
    const shown = reached === null ? 'no trial' : `${rounded(reached)} ${unit}`.trim()
    return [name, `${most} ${unit}`.trim(), shown, isMet ? 'met' : 'MISSED']
  })
  return columns([['figure', 'at most', 'reached', ''], ...rows]).join('\n')
}

function rounded(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toFixed(2))) : 'never'
}
