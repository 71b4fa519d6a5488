/** The table of docs/guard.md: each figure, how it is counted, and its limit. */
import { sum } from 'simple-statistics'
import { columns } from '../../support/table.ts'
import type { Injected, Mode } from './inject.ts'
import type { Kind } from './kinds.ts'
import { KEPT_MINUTES } from './trials.ts'

interface Figure {
  name: string
  most: number
  unit: '%' | 'min' | ''
  /** Null when no trial measures the figure. */
  count(injected: Injected): number | null
}

const FIGURES: readonly Figure[] = [
  published('gross faults, two sources', 0, 'two', 'gross'),
  published('gross faults, one alone', 0, 'alone', 'gross'),
  published('mild faults, two sources', 0.7, 'two', 'mild'),
  published('mild faults, one alone', 5, 'alone', 'mild'),
  figure('stale: over half an hour', 2, '%', (injected) => {
    const kept = keptMinutes(injected)
    return percent(kept.filter((minutes) => minutes > KEPT_MINUTES).length, kept.length)
  }),
  figure('stale: longest', 60, 'min', (injected) => worst(keptMinutes(injected))),
  published('both wrong, differently', 5, 'two', 'both wrong'),
  figure('moves shown by both: p50', 2.5, 'min', (injected) => {
    const sorted = delaysOfBoth(injected).toSorted((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)] ?? null
  }),
  figure('moves shown by both: worst', 5, 'min', (injected) => worst(delaysOfBoth(injected))),
  figure('moves of one alone and its relatives: worst', 120, 'min', ({ moves }) => {
    const alone = moves.filter(({ mode, trial }) => mode === 'alone' && trial.relativesAt !== null)
    return worst(alone.map(({ delay }) => delay))
  }),
  figure('correct changes held over 10 minutes', 0.04, '%', ({ clean }) =>
    percent(
      // Values held, or a value in effect that lags behind sources that agree.
      sum(clean.map(({ correctHeld, late }) => Math.max(correctHeld, late))),
      sum(clean.map(({ changes }) => changes)),
    ),
  ),
  figure('natural faults published against a source', 0, '', ({ clean }) =>
    clean.length === 0 ? null : sum(clean.map(({ contradicted }) => contradicted)),
  ),
]

function figure(name: string, most: number, unit: Figure['unit'], count: Figure['count']): Figure {
  return { name, most, unit, count }
}

/** The share of the faults that were published. */
function published(name: string, most: number, mode: Mode, group: Kind['group']): Figure {
  return figure(name, most, '%', (injected) => {
    const faults = faultsOf(injected, mode, group)
    return percent(faults.filter(({ outcome }) => outcome.isPublished).length, faults.length)
  })
}

function faultsOf({ faults }: Injected, mode: Mode, group: Kind['group']) {
  return faults.filter((one) => one.mode === mode && one.trial.kind.group === group)
}

function keptMinutes(injected: Injected): number[] {
  return faultsOf(injected, 'two', 'stale').map(({ outcome }) => outcome.keptMinutes)
}

function delaysOfBoth({ moves }: Injected): number[] {
  return moves.filter(({ mode }) => mode === 'two').map(({ delay }) => delay)
}

function percent(count: number, of: number): number | null {
  return of === 0 ? null : (100 * count) / of
}

function worst(minutes: readonly number[]): number | null {
  return minutes.length === 0 ? null : Math.max(...minutes)
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
