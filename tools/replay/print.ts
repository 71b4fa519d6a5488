import { priceToNumber } from '../../shared/market/price.ts'
import { columns } from '../harness/table.ts'
import type { MoveReport } from './evaluate.ts'
import type { Replayed } from './replay.ts'

const HEAD = [
  'pair',
  'observations',
  'changes',
  'gross faults',
  'let through',
  'mild faults',
  'let through',
  'moves',
  'worst delay',
  'held > 10 min',
  'longest',
  'faults held',
]

/** The table of a replay, one row per pair and one for all. */
export function table(replayed: readonly Replayed[]): string {
  const rows = replayed.map(({ pair, report }) => [
    pair,
    ...figures([report]),
    minutes(worst(report.moves)),
    ...holds([report]),
  ])
  const reports = replayed.map(({ report }) => report)
  const all = reports.flatMap(({ moves }) => moves)
  rows.push(['all', ...figures(reports), minutes(worst(all)), ...holds(reports)])

  return columns([HEAD, ...rows]).join('\n')
}

/** What a reader wants to look at: each gross fault let through and each genuine move. */
export function details(replayed: readonly Replayed[]): string[] {
  return replayed.flatMap(({ pair, report }) => [
    ...report.grossPublished.map(
      ({ at, buy, sell, source }) =>
        `${pair} fault let through at ${iso(at)}: ${priceToNumber(buy)}/${priceToNumber(sell)} of ${source}`,
    ),
    ...report.moves.map(
      (move) =>
        `${pair} moved at ${iso(move.at)} from ${priceToNumber(move.from)} to ${priceToNumber(move.to)}: ` +
        `published after ${minutes(move.delay)}` +
        (move.delayConfirmed === null
          ? ''
          : `, ${minutes(move.delayConfirmed)} after both said so`),
    ),
  ])
}

function figures(reports: readonly Replayed['report'][]): string[] {
  const sum = (figure: (report: Replayed['report']) => number) =>
    String(reports.reduce((total, report) => total + figure(report), 0))
  return [
    sum(({ observations }) => observations),
    sum(({ changes }) => changes),
    sum(({ grossFaults }) => grossFaults),
    sum(({ grossPublished }) => grossPublished.length),
    sum(({ mildFaults }) => mildFaults),
    sum(({ mildPublished }) => mildPublished.length),
    sum(({ moves }) => moves.length),
  ]
}

function holds(reports: readonly Replayed['report'][]): string[] {
  const held = reports.reduce((total, { correctHeld }) => total + correctHeld, 0)
  const changes = reports.reduce((total, { changes }) => total + changes, 0)
  const share = changes === 0 ? 0 : (100 * held) / changes
  const longest = Math.max(0, ...reports.map(({ longestCorrectHold }) => longestCorrectHold))
  const faults = reports.reduce((total, { faultsHeld }) => total + faultsHeld, 0)
  return [`${held} (${share.toFixed(2)} %)`, minutes(longest), String(faults)]
}

/** The longest delay: from both sources' sight where there are two. */
function worst(moves: readonly MoveReport[]): number | null {
  if (moves.length === 0) return 0
  if (moves.some(({ delay }) => delay === null)) return null
  return Math.max(...moves.map(({ delay, delayConfirmed }) => delayConfirmed ?? delay ?? 0))
}

function minutes(count: number | null): string {
  return count === null ? 'never' : `${count} min`
}

function iso(instant: number): string {
  return new Date(instant).toISOString().slice(0, 16)
}
