/** The table of docs/guard.md: each figure, how it is counted, and its limit. */
import { sum } from 'simple-statistics'
import { columns } from '../../support/table.ts'
import type { Injected, Mode } from './inject.ts'
import type { Kind } from './kinds.ts'
import { KEPT_MINUTES } from './trials.ts'

/** A row: its limit with its unit, and the figure; null when no trial measures it. */
type Figure = [name: string, most: number, unit: string, reached: number | null]

function figuresOf({ faults, moves, clean }: Injected): Figure[] {
  const faultsOf = (mode: Mode, group: Kind['group']) =>
    faults.filter((one) => one.mode === mode && one.trial.kind.group === group)
  const published = (mode: Mode, group: Kind['group']) =>
    share(faultsOf(mode, group), ({ outcome }) => outcome.isPublished)
  const kept = faultsOf('two', 'stale').map(({ outcome }) => outcome.keptMinutes)
  const ofBoth = moves.filter(({ mode }) => mode === 'two').map(({ delay }) => delay)
  const ofOne = moves
    .filter(({ mode, trial }) => mode === 'alone' && trial.relativesAt !== null)
    .map(({ delay }) => delay)
  // Values held, or a value in effect that lags behind sources that agree.
  const held = sum(clean.map(({ correctHeld, late }) => Math.max(correctHeld, late)))
  const changes = sum(clean.map((one) => one.changes))
  const contradicted = clean.length === 0 ? null : sum(clean.map((one) => one.contradicted))

  return [
    ['gross faults, two sources', 0, '%', published('two', 'gross')],
    ['gross faults, one alone', 0, '%', published('alone', 'gross')],
    ['mild faults, two sources', 0.7, '%', published('two', 'mild')],
    ['mild faults, one alone', 5, '%', published('alone', 'mild')],
    ['stale: over half an hour', 2, '%', share(kept, (minutes) => minutes > KEPT_MINUTES)],
    ['stale: longest', 60, 'min', worst(kept)],
    ['both wrong, differently', 5, '%', published('two', 'both wrong')],
    ['moves shown by both: p50', 2.5, 'min', middle(ofBoth)],
    ['moves shown by both: worst', 5, 'min', worst(ofBoth)],
    ['moves of one alone and its relatives: worst', 120, 'min', worst(ofOne)],
    ['correct changes held over 10 minutes', 0.04, '%', percent(held, changes)],
    ['natural faults published against a source', 0, '', contradicted],
  ]
}

function share<One>(all: readonly One[], holds: (one: One) => boolean): number | null {
  return percent(all.filter(holds).length, all.length)
}

function percent(count: number, of: number): number | null {
  return of === 0 ? null : (100 * count) / of
}

function middle(minutes: readonly number[]): number | null {
  return minutes.toSorted((a, b) => a - b)[Math.floor(minutes.length / 2)] ?? null
}

function worst(minutes: readonly number[]): number | null {
  return minutes.length === 0 ? null : Math.max(...minutes)
}

export function tableOf(injected: Injected): string {
  const rows = figuresOf(injected).map(([name, most, unit, reached]) => {
    const isMet = reached !== null && reached <= most
    const shown = reached === null ? 'no trial' : `${rounded(reached)} ${unit}`.trim()
    return [name, `${most} ${unit}`.trim(), shown, isMet ? 'met' : 'MISSED']
  })
  return columns([['figure', 'at most', 'reached', ''], ...rows]).join('\n')
}

function rounded(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toFixed(2))) : 'never'
}
