import type { Pair } from '../../../shared/market/catalog.ts'
import type { QuarantineWrite } from '../../../shared/db/quotes/cycle-record.ts'
import type { QuarantineRow } from '../db/cycles.ts'
import type { Price } from '../../../shared/market/price.ts'

/** What the guard decided of a pair, as far as the quarantine is concerned. */
export interface Verdict {
  pair: Pair
  held: { buy: Price; sell: Price; source: string; reason: string } | null
  published: { buy: Price; sell: Price } | null
  /** Whether any source spoke of the pair: silence resolves nothing. */
  heard: boolean
}

/**
 * How the pair's open quarantine row follows a verdict. An operator's override holds for the value it
 * was given on; when the sources say something else the row is closed and a new one opened.
 */
export function quarantineWrites(
  row: QuarantineRow | undefined,
  verdict: Verdict,
): QuarantineWrite[] {
  if (!verdict.heard) return []
  const { held, published, pair } = verdict

  if (!held) return row ? [resolve(row, published)] : []

  const hold = { kind: 'hold', pair: pair.id, ...held } as const
  if (!row) return [hold]
  if (row.status === 'held' && row.source === held.source) {
    return [{ kind: 'seen', id: row.id, buy: held.buy, sell: held.sell, reason: held.reason }]
  }
  return sameValue(row, held) ? [] : [resolve(row, published), hold]
}

function resolve(row: QuarantineRow, published: Verdict['published']): QuarantineWrite {
  const confirmed = published !== null && sameValue(row, published)
  const status = row.status === 'held' ? (confirmed ? 'released' : 'dropped') : row.status
  return { kind: 'resolve', id: row.id, status }
}

function sameValue(a: { buy: Price; sell: Price }, b: { buy: Price; sell: Price }): boolean {
  return a.buy === b.buy && a.sell === b.sell
}
