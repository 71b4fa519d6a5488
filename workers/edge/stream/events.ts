/**
 * Quotes as server-sent events. An event's id is a cursor into the order of all changes: when the
 * value came into effect, then its pair. A client's last id alone says which of today's values it
 * has seen; the service remembers nothing of it.
 */
import { type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { Board, BoardQuote } from '../../../shared/board/board.ts'
import { findPair, type Pair } from '../../../shared/market/catalog.ts'
import { printQuoteWithChange } from '../../../shared/board/current-quote.ts'

/** A position in the order of all changes. */
export interface Cursor {
  at: Instant
  /** The catalogue id of the pair. */
  pair: number
}

/** Before every event. */
export const START: Cursor = { at: 0, pair: 0 }

export interface QuoteEvent {
  cursor: Cursor
  text: string
}

/** Clocks of different machines differ by less than this. */
const CLOCK_SLACK_MS = MINUTE_MS

/** Whether an instant is so far ahead that a clock must be wrong. */
export function isOfFuture(at: Instant, now: Instant): boolean {
  return at > now + CLOCK_SLACK_MS
}

/**
 * The cursor that a `Last-Event-ID` names. None, garbage or a cursor of the future means the start:
 * only a wrong clock of ours could have given it out.
 */
export function parseCursor(id: string | null, now: Instant): Cursor {
  const [, at, pair] = /^(\d{1,15})-(\d{1,4})$/.exec(id ?? '') ?? []
  const cursor = { at: Number(at), pair: Number(pair) }
  return at === undefined || isOfFuture(cursor.at, now) ? START : cursor
}

/** The values of the pairs that came into effect after a cursor, oldest first. */
export function eventsAfter(
  board: Board,
  pairs: readonly Pair[],
  after: Cursor,
  now: Instant,
): QuoteEvent[] {
  return board.quotes
    .flatMap((quote) => {
      const pair = findPair(quote.currency, quote.origin)
      if (!pair || !pairs.includes(pair)) return []

      const cursor = { at: Date.parse(quote.updatedAt), pair: pair.id }
      return compare(cursor, after) > 0 ? [{ cursor, text: printEvent(cursor, quote, now) }] : []
    })
    .toSorted((a, b) => compare(a.cursor, b.cursor))
}

function compare(a: Cursor, b: Cursor): number {
  return a.at - b.at || a.pair - b.pair
}

function printEvent({ at, pair }: Cursor, quote: BoardQuote, now: Instant): string {
  const data = JSON.stringify(printQuoteWithChange(quote, now))
  return `id: ${at}-${pair}\nevent: quote\ndata: ${data}\n\n`
}
