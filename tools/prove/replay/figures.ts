/** The table in docs/guard.md: each figure, its computation and its limit. */
import { max, mean, median, sum } from 'simple-statistics'
import { columns } from '../../support/table.ts'
import type { Injected, Outcome } from './inject.ts'
import { KEPT_MINUTES, type Trial } from './trials.ts'

/** A row: name, limit, unit and figure. The figure is null if no trial measures it. */
type Figure = [name: string, most: number, unit: string, reached: number | null]

function figuresOf({ two, alone, clean }: Injected): Figure[] {
  const published = (outcomes: readonly Outcome[], group: Trial['group']) =>
    share(minutesOf(outcomes, group), Number.isFinite)
  const kept = minutesOf(two, 'stale')
  const ofBoth = minutesOf(two, 'move')
  const ofOne = minutesOf(
    alone.filter(({ trial }) => trial.relativesAt !== null),
    'move',
  )
  const held = sum(clean.map(({ correctHeld }) => correctHeld))
  const changes = sum(clean.map((one) => one.changes))
  const contradicted = clean.map((one) => one.contradicted)

  return [
    ['gross faults, two sources', 0, '%', published(two, 'gross')],
    ['gross faults, one alone', 0, '%', published(alone, 'gross')],
    ['mild faults, two sources', 0.7, '%', published(two, 'mild')],
    ['mild faults, one alone', 5, '%', published(alone, 'mild')],
    ['stale: over half an hour', 2, '%', share(kept, (minutes) => minutes > KEPT_MINUTES)],
    ['stale: longest', 60, 'min', over(kept, max)],
    ['both wrong, differently', 5, '%', published(two, 'both wrong')],
    ['moves shown by both: p50', 2.5, 'min', over(ofBoth, median)],
    ['moves shown by both: worst', 5, 'min', over(ofBoth, max)],
    ['moves of one alone and its relatives: worst', 120, 'min', over(ofOne, max)],
    ['correct changes held over 10 minutes', 0.04, '%', changes && (100 * held) / changes],
    ['natural faults published against a source', 0, '', over(contradicted, sum)],
  ]
}

function minutesOf(outcomes: readonly Outcome[], group: Trial['group']): number[] {
  return outcomes.filter(({ trial }) => trial.group === group).map(({ minutes }) => minutes)
}

function share(minutes: number[], holds: (minutes: number) => boolean): number | null {
  return over(minutes, (all) => 100 * mean(all.map((one) => Number(holds(one)))))
}

function over(minutes: number[], measure: (minutes: number[]) => number): number | null {
  return minutes.length === 0 ? null : measure(minutes)
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
