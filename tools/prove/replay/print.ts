import { sum } from 'simple-statistics'
import { priceToNumber } from '../../../shared/market/price.ts'
import { columns } from '../../support/table.ts'
import type { MoveReport, PairReport } from './evaluate.ts'
import type { Replayed } from './replay.ts'

type Reports = readonly PairReport[]

const total = (reports: Reports, figure: (report: PairReport) => number) =>
  String(sum(reports.map(figure)))

const COLUMNS: readonly (readonly [head: string, cell: (reports: Reports) => string])[] = [
  ['observations', (all) => total(all, ({ observations }) => observations)],
  ['changes', (all) => total(all, ({ changes }) => changes)],
  ['gross faults', (all) => total(all, ({ grossFaults }) => grossFaults)],
  ['let through', (all) => total(all, ({ grossPublished }) => grossPublished.length)],
  ['mild faults', (all) => total(all, ({ mildFaults }) => mildFaults)],
  ['let through', (all) => total(all, ({ mildPublished }) => mildPublished.length)],
  ['moves', (all) => total(all, ({ moves }) => moves.length)],
  ['worst delay', (all) => minutes(worst(all.flatMap(({ moves }) => moves)))],
  ['held > 10 min', heldShare],
  ['longest', (all) => minutes(Math.max(0, ...all.map((of) => of.longestCorrectHold)))],
  ['faults held', (all) => total(all, ({ faultsHeld }) => faultsHeld)],
]

/** The table of a replay, one row per pair and one for all. */
export function table(replayed: readonly Replayed[]): string {
  const cells = (reports: Reports) => COLUMNS.map(([, cell]) => cell(reports))
  return columns([
    ['pair', ...COLUMNS.map(([head]) => head)],
    ...replayed.map(({ pair, report }) => [pair, ...cells([report])]),
    ['all', ...cells(replayed.map(({ report }) => report))],
  ]).join('\n')
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

/** Of all changes, how many correct ones were held. */
function heldShare(reports: Reports): string {
  const held = sum(reports.map(({ correctHeld }) => correctHeld))
  const changes = sum(reports.map(({ changes }) => changes))
  return `${held} (${(changes === 0 ? 0 : (100 * held) / changes).toFixed(2)} %)`
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
