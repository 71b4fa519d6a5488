/** From the guard's decisions and the documents to the rows of the cycle. Pure. */
import type { DatedSell } from '../../../shared/market/change.ts'
import { type Pair, pairKey, PAIRS } from '../../../shared/market/catalog.ts'
import type {
  CurrentQuote,
  CycleRecord,
  CycleSummary,
  QuarantineWrite,
} from '../../../shared/db/quotes/quotes.ts'
import type { CycleState, QuarantineRow } from '../db/cycles.ts'
import type { Evaluation, PairEvaluation } from '../evaluate-cycle.ts'
import type { GuardMemory } from '../guard/memory.ts'
import { isSameLevel, type Level } from '../guard/level.ts'
import { isOverridden } from '../guard/facts.ts'
import type { Quoted } from '../guard/guard.ts'
import { type Day, type Instant, startOfDay } from '../../../shared/argentine-time.ts'
import type { Price } from '../../../shared/market/price.ts'
import { compareHolidays } from '../../../shared/market/holidays.ts'
import { invoicingStatements } from '../../../shared/db/quotes/invoicing.ts'
import type { SourceResult } from '../collect/collect.ts'
import type { Reading } from '../sources/source.ts'

export interface CycleRows extends Pick<CycleRecord, 'quotes' | 'changes' | 'quarantine'> {
  /** The guard's memory of every pair, by the pair's key. */
  memory: Record<string, GuardMemory>
}

/** The rows that follow from the evaluation and the state at the cycle's start. */
export function recordOf(
  state: CycleState,
  { decisions, at }: Evaluation,
  guard: Readonly<Record<string, GuardMemory>>,
): CycleRows {
  const rows: CycleRows = { quotes: [], changes: [], quarantine: [], memory: { ...guard } }

  for (const [pair, evaluated] of decisions) {
    const { publish, source, memory } = evaluated.decision
    const current = state.quotes.find((quote) => quote.pair === pair) ?? null
    // No point may be earlier than the value in effect.
    if (current && current.updatedAt >= at) continue
    rows.memory[pairKey(pair)] = memory

    // The guard ignores an old import as a baseline, so an equal value counts as new.
    const isKnown = publish && current && isSameLevel(current, publish)
    if (publish && !isKnown) {
      const quote = changedQuote(pair, current, publish, at)
      rows.quotes.push(quote)
      rows.changes.push({ quote, previous: current })
    } else if (current && source !== null) {
      rows.quotes.push({ ...current, source, lastScrapedAt: at })
    }

    const open = state.quarantine.find((row) => row.pair === pair.id)
    rows.quarantine.push(...quarantineWrites(pair, open, evaluated, current))
  }
  return rows
}

/** The quotes in effect after these rows are written, in catalogue order. */
export function quotesAfter(
  before: readonly CurrentQuote[],
  written: readonly CurrentQuote[],
): CurrentQuote[] {
  const byPair = new Map([...before, ...written].map((quote) => [quote.pair, quote]))
  return PAIRS.flatMap((pair) => byPair.get(pair) ?? [])
}

function changedQuote(
  pair: Pair,
  current: CurrentQuote | null,
  { buy, sell, source }: Quoted,
  at: number,
): CurrentQuote {
  const referenceSell = nextReference(current, at)
  return { pair, buy, sell, source, updatedAt: at, lastScrapedAt: at, referenceSell }
}

/**
 * The reference to store with a new value: the previous value when it took effect on an earlier
 * day, else the reference that the previous value had.
 */
function nextReference(previous: DatedSell | null, at: Instant): Price | null {
  if (!previous) return null
  return previous.updatedAt < startOfDay(at) ? previous.sell : previous.referenceSell
}

/**
 * The writes to the pair's open quarantine row after a decision. An operator's override applies
 * only to the value that the operator saw: if the sources give another value, the row is closed and
 * a new row opened. Without readings, nothing changes. The row of an accepted value stays open
 * until the value is published or its source gives another value.
 */
function quarantineWrites(
  pair: Pair,
  row: QuarantineRow | undefined,
  { decision: { held, publish, memory }, wasRead }: PairEvaluation,
  current: CurrentQuote | null,
): QuarantineWrite[] {
  if (!wasRead) return []
  if (row?.status === 'accepted') {
    const isAccepted = (level: Level) => isOverridden(level, row, current, pair)
    if (publish && isAccepted(publish)) return [{ kind: 'resolve', id: row.id, status: 'accepted' }]
    const source = memory.sources.find(({ name }) => name === row.source)
    if (source && isAccepted(source)) return []
  }
  if (!held) return row ? [resolve(row, publish)] : []

  const { buy, sell, source, reason } = held
  const hold = { kind: 'hold', pair: pair.id, buy, sell, source, reason } as const
  if (!row) return [hold]
  if (row.status === 'held' && row.source === source) {
    return [{ kind: 'seen', id: row.id, buy, sell, reason }]
  }
  return isSameLevel(row, hold) ? [] : [resolve(row, publish), hold]
}

function resolve(row: QuarantineRow, published: Level | null): QuarantineWrite {
  const isReleased = published !== null && isSameLevel(row, published)
  const status = row.status === 'rejected' ? 'rejected' : isReleased ? 'released' : 'dropped'
  return { kind: 'resolve', id: row.id, status }
}

const SOURCE = 'bna-divisas'

function readingsOf(results: readonly SourceResult[]): Reading[] {
  return results.flatMap((result) => (result.ok ? result.readings : []))
}

/** The days that the list of holidays adds or lacks, and the known days of neighbouring years. */
export function holidaysOf(
  last: CycleSummary | null,
  results: readonly SourceResult[],
): CycleSummary['holidays'] {
  const known = last?.holidays
  const read = readingsOf(results).find((reading) => reading.kind === 'holidays')
  if (!read) return known

  const { year, days } = read
  const found = compareHolidays(year, days)
  const isOther = (day: Day) => Math.abs(Number(day.slice(0, 4)) - year) === 1
  return {
    decreed: [...(known?.decreed ?? []).filter(({ day }) => isOther(day)), ...found.decreed],
    lacking: [...(known?.lacking ?? []).filter(isOther), ...found.lacking],
  }
}

/**
 * The statements that store the wholesale table of this cycle; none when the last cycle read the
 * same table. `wholesale` goes into the cycle's summary.
 */
export function invoicingOf(
  db: D1Database,
  last: CycleSummary | null,
  results: readonly SourceResult[],
  at: Instant,
): { wholesale: CycleSummary['wholesale']; statements: D1PreparedStatement[] } {
  const known = last?.wholesale
  const table = readingsOf(results).find((reading) => reading.kind === 'wholesale')
  if (!table || table.rates.length === 0) return { wholesale: known, statements: [] }

  const { day, publishedAt, rates } = table
  const wholesale = { day, rates: JSON.stringify(rates), publishedAt }
  const isKnown =
    known?.day === day && known.rates === wholesale.rates && known.publishedAt === publishedAt
  const statements = isKnown ? [] : invoicingStatements(db, { ...table, source: SOURCE }, at)
  return { wholesale, statements }
}
