/**
 * Quotes as server-sent events. An event's id is its place in the order of all changes: when the
 * value came into effect, then its pair. So a client's last id says by itself which of today's
 * values it has seen; nobody needs to remember what was sent to whom.
 */
import { type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { Board, BoardQuote } from '../../../shared/board/board.ts'
import { findPair, type Pair } from '../../../shared/market/catalog.ts'
import { printQuoteWithChange } from '../../../shared/board/current-quote.ts'

export interface Place {
  at: Instant
  /** The catalogue id of the pair. */
  pair: number
}

/** Before every event. */
export const START: Place = { at: 0, pair: 0 }

export interface QuoteEvent {
  place: Place
  text: string
}

/** Clocks of different machines differ by less. */
const CLOCK_SLACK_MS = MINUTE_MS

/** Whether an instant is so far ahead that a clock must be wrong. */
export function isOfFuture(at: Instant, now: Instant): boolean {
  return at > now + CLOCK_SLACK_MS
}

/**
 * The place that a `Last-Event-ID` names; the start for none, for garbage, and for one of the
 * future, which no clock of ours made that was right.
 */
export function parsePlace(id: string | null, now: Instant): Place {
  const [, at, pair] = /^(\d{1,15})-(\d{1,4})$/.exec(id ?? '') ?? []
  const place = { at: Number(at), pair: Number(pair) }
  return at === undefined || isOfFuture(place.at, now) ? START : place
}

/** The values of the pairs that came into effect after a place, oldest first. */
export function eventsAfter(
  board: Board,
  pairs: readonly Pair[],
  after: Place,
  now: Instant,
): QuoteEvent[] {
  return board.quotes
    .flatMap((quote) => {
      const pair = findPair(quote.currency, quote.origin)
      if (!pair || !pairs.includes(pair)) return []

      const place = { at: Date.parse(quote.updatedAt), pair: pair.id }
      return compare(place, after) > 0 ? [{ place, text: printEvent(place, quote, now) }] : []
    })
    .toSorted((a, b) => compare(a.place, b.place))
}

function compare(a: Place, b: Place): number {
  return a.at - b.at || a.pair - b.pair
}

function printEvent({ at, pair }: Place, quote: BoardQuote, now: Instant): string {
  const data = JSON.stringify(printQuoteWithChange(quote, now))
  return `id: ${at}-${pair}\nevent: quote\ndata: ${data}\n\n`
}
