import { formatUtc } from '../../../../shared/argentine-time.ts'
import { priceToNumber } from '../../../../shared/market/price.ts'
import { columns } from '../../../support/table.ts'
import {
  delayOf,
  type Figures,
  gotOut,
  isFault,
  isMove,
  percent,
  percentile,
  type Share,
} from './figures.ts'
import type { Injected, Mode, TrialResult } from './inject.ts'
import { KINDS, type Sides } from './kinds.ts'
import { MOVES } from './plan.ts'
import { type TargetResult } from './targets.ts'

/** Share of the faults that got out, by kind. */
export function faultTable(figures: Figures, modes: readonly Mode[]): string {
  const rows = KINDS.map(({ name }) => [
    name,
    ...modes.flatMap((mode) => shareCells(figures.out(mode, [name]))),
  ])
  const all = ['all', ...modes.flatMap((mode) => shareCells(figures.out(mode)))]
  return aligned([['fault', ...headsOf(modes, ['trials', 'got out', 'share'])], ...rows, all])
}

/** Delay of the moves, in minutes. */
export function moveTable(figures: Figures, modes: readonly Mode[]): string {
  const rows = MOVES.map((step) => [
    `${step > 0 ? '+' : '−'}${Math.abs(step * 100).toFixed(0)} %`,
    ...modes.flatMap((mode) => delayCells(figures.delays(mode, (move) => move.step === step))),
  ])
  const all = ['all', ...modes.flatMap((mode) => delayCells(figures.delays(mode)))]
  const heads = headsOf(modes, ['trials', 'p50', 'p99', 'worst'])
  return aligned([['move', ...heads], ...rows, all])
}

/** What got out, by pair and kind, for who mends the guard. */
export function pairTable({ results }: Injected): string {
  const counts = new Map<string, Share>()
  for (const one of results.filter(isFault)) {
    const key = `${one.mode}\t${one.trial.kind}\t${one.trial.pair}`
    const { count, of } = counts.get(key) ?? { count: 0, of: 0 }
    counts.set(key, { count: count + Number(gotOut(one)), of: of + 1 })
  }
  const rows = [...counts]
    .filter(([, { count }]) => count > 0)
    .map(([key, share]) => [...key.split('\t'), ...shareCells(share)])
  return aligned([['mode', 'fault', 'pair', 'trials', 'got out', 'share'], ...rows])
}

/** What the undisturbed replay did. */
export function cleanTable({ clean }: Injected): string {
  return aligned([
    ['undisturbed', 'mode', 'changes', 'held > 10 min', 'slips', 'longest', 'late > 10 min'],
    ...clean.map(({ mode, pair, changes, correctHeld, slipsHeld, longestCorrectHold, late }) => [
      pair,
      mode,
      ...[changes, correctHeld, slipsHeld, longestCorrectHold, late].map(String),
    ]),
  ])
}

/** The targets and what was reached; beside it what another guard reached, if one was asked. */
export function targetTable(
  found: readonly TargetResult[],
  base: readonly TargetResult[] = [],
): string {
  const isAgainst = base.length > 0
  return aligned([
    ['target', 'at most', 'reached', '', ...(isAgainst ? ['the other', ''] : [])],
    ...found.map((one, index) => [
      one.name,
      `${one.most} ${one.unit}`.trim(),
      reachedBy(one),
      one.isMet ? 'met' : 'MISSED',
      ...base
        .slice(index, index + 1)
        .flatMap((other) => [reachedBy(other), other.isMet ? 'met' : 'MISSED']),
    ]),
  ])
}

function reachedBy({ unit, reached }: TargetResult): string {
  return reached === null ? 'no trial' : `${rounded(reached)} ${unit}`.trim()
}

export function describe(result: TrialResult): string {
  const { mode, trial } = result
  const head = `${mode} seed ${trial.seed} ${trial.pair} ${formatUtc(trial.from)}`
  if (isMove(result)) {
    const { step } = result.trial
    return `${head} move ${rounded(step * 100)} %: ${rounded(delayOf(result))} min`
  }

  const { published, keptMinutes, shutOutMinutes } = result.outcome
  const what = published
    ? `published ${formatUtc(published.at)} ${sides(published.shown)} for ${sides(published.honest)}`
    : 'not published'
  return (
    `${head} ${result.trial.kind} until ${formatUtc(result.trial.until)}: ${what}, ` +
    `kept ${keptMinutes} min, shut out ${shutOutMinutes} min`
  )
}

function sides({ buy, sell }: Sides): string {
  return `${priceToNumber(buy)}/${priceToNumber(sell)}`
}

function headsOf(modes: readonly Mode[], heads: readonly string[]): string[] {
  const names: Record<Mode, string> = { two: 'two sources', alone: 'one alone' }
  return modes.flatMap((mode) =>
    heads.map((head, i) => (i === 0 ? `${names[mode]}: ${head}` : head)),
  )
}

function shareCells(share: Share): string[] {
  return share.of === 0
    ? ['0', '', '']
    : [String(share.of), String(share.count), `${percent(share).toFixed(1)} %`]
}

function delayCells(delays: readonly number[]): string[] {
  if (delays.length === 0) return ['0', '', '', '']
  return [String(delays.length), ...[0.5, 0.99, 1].map((at) => rounded(percentile(delays, at)))]
}

function rounded(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toFixed(2))) : 'never'
}

const aligned = (rows: string[][]) => columns(rows).join('\n')
