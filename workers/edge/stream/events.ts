/**
 * Quotes as server-sent events. An event's id is a cursor into the order of all changes: the
 * instant from which the value is in effect, then its pair. A client's last id shows which of
 * today's values the client has seen, so the service stores nothing about clients.
 */
import { type Day, type Instant, argentineDay } from '../../../shared/argentine-time.ts'
import {
  type Board,
  type BoardQuote,
  quoteOf,
  printQuoteWithChange,
} from '../../../shared/board/board.ts'
import { type Pair, findPair } from '../../../shared/market/catalog.ts'

/** A position in the order of all changes. */
export interface Cursor {
  at: Instant
  /** The catalogue id of the pair. */
  pair: number
}

/** The cursor before every event. */
export const START: Cursor = { at: 0, pair: 0 }

/** The cursor of a `Last-Event-ID`; `START` when the id is missing, invalid or in the future. */
export function parseCursor(id: string | null, now: Instant): Cursor {
  const [, at, pair] = /^(\d{1,15})-(\d{1,4})$/.exec(id ?? '') ?? []
  return at === undefined || Number(at) > now ? START : { at: Number(at), pair: Number(pair) }
}

interface QuoteEvent {
  cursor: Cursor
  pair: Pair
  text: string
}

/** Encoded events for a stream, and the cursor after them. */
export interface Sending {
  bytes: Uint8Array
  last: Cursor
}

/** The most encodings kept per board, because clients may choose any pairs and cursors. */
const MOST_SENDINGS = 1000

const encoder = new TextEncoder()

/**
 * The events of one board, oldest first. Each event is printed once, and streams with the same
 * pairs and cursor share one encoding. The events are valid for one Argentine day, because `change`
 * counts from the beginning of the day.
 */
export class BoardEvents {
  readonly board: Board
  readonly #day: Day
  readonly #events: QuoteEvent[]
  readonly #sendings = new Map<string, Sending | null>()

  constructor(board: Board, now: Instant) {
    this.board = board
    this.#day = argentineDay(now)
    this.#events = board.quotes
      .flatMap((quote) => {
        const pair = findPair(quote.currency, quote.origin)
        if (!pair) return []
        const cursor = { at: Date.parse(quote.updatedAt), pair: pair.id }
        return [{ cursor, pair, text: printEvent(cursor, quote, now) }]
      })
      .toSorted((a, b) => compare(a.cursor, b.cursor))
  }

  /** Whether these are the events of this board at this instant. */
  areOf(board: Board, now: Instant): boolean {
    return this.board === board && this.#day === argentineDay(now)
  }

  /** The events of the pairs after a cursor; null when there are none. */
  after({ key: list, pairs }: PairList, cursor: Cursor): Sending | null {
    const first = this.#events.findIndex((event) => compare(event.cursor, cursor) > 0)
    if (first === -1) return null

    const key = `${first} ${list}`
    let sending = this.#sendings.get(key)
    if (sending === undefined) {
      const events = this.#events.slice(first).filter(({ pair }) => pairs.includes(pair))
      sending = encoded(events)
      if (this.#sendings.size >= MOST_SENDINGS) this.#sendings.clear()
      this.#sendings.set(key, sending)
    }
    return sending
  }
}

/** A corrected value, for clients that saw the wrong one. */
interface Correction {
  pair: Pair
  bytes: Uint8Array
}

/**
 * Values that differ from the previous board but are not newer: an operator corrected them. Cursors
 * do not show a correction, so its event has no id and the client keeps its last id.
 */
export function correctionsSince(before: Board, board: Board, now: Instant): Correction[] {
  return board.quotes.flatMap((quote) => {
    const pair = findPair(quote.currency, quote.origin)
    const shown = quoteOf(before, quote.currency, quote.origin)
    const isCorrected =
      shown !== undefined &&
      (shown.buy !== quote.buy || shown.sell !== quote.sell) &&
      Date.parse(quote.updatedAt) <= Date.parse(shown.updatedAt)
    return pair && isCorrected ? [{ pair, bytes: encoder.encode(printData(quote, now)) }] : []
  })
}

function encoded(events: readonly QuoteEvent[]): Sending | null {
  const last = events.at(-1)
  if (!last) return null
  return { bytes: encoder.encode(events.map(({ text }) => text).join('')), last: last.cursor }
}

/** The pairs of a stream. Equal lists have equal keys. */
export interface PairList {
  key: string
  pairs: readonly Pair[]
}

export function pairList(pairs: readonly Pair[]): PairList {
  return {
    key: pairs
      .map(({ id }) => id)
      .toSorted((a, b) => a - b)
      .join(),
    pairs,
  }
}

function compare(a: Cursor, b: Cursor): number {
  return a.at - b.at || a.pair - b.pair
}

function printEvent({ at, pair }: Cursor, quote: BoardQuote, now: Instant): string {
  return `id: ${at}-${pair}\n${printData(quote, now)}`
}

function printData(quote: BoardQuote, now: Instant): string {
  return `event: quote\ndata: ${JSON.stringify(printQuoteWithChange(quote, now))}\n\n`
}
