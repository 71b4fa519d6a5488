/**
 * The board: every current quote in one KV document, written by each scraper cycle and read by the
 * edge and the site.
 */
import type { Day, Instant } from '../argentine-time.ts'
import type { ValueType } from '../market/catalog.ts'
import type { HolidayDifferences } from '../market/holidays.ts'
import { changeOfDay } from '../market/change.ts'
import { numberToPrice } from '../market/price.ts'
import { logFailure } from '../log.ts'

export const BOARD_KEY = 'board'

/** Increase it with each incompatible change of the document. */
export const BOARD_SCHEMA = 1

/** Readers do not trust an older board, and read D1 instead. */
export const BOARD_MAX_AGE_MS = 15 * 60 * 1000

export function isTrusted({ generatedAt }: Pick<Board, 'generatedAt'>, now: Instant): boolean {
  return now - generatedAt <= BOARD_MAX_AGE_MS
}

/** Where the values come from: real sources, the simulated market, or a replay server. */
export const MODES = ['live', 'demo', 'upstream'] as const
export type Mode = (typeof MODES)[number]

export interface Board {
  schema: typeof BOARD_SCHEMA
  generatedAt: Instant
  /** Seconds between two cycles. Readers cache a board for at most a tenth of this. */
  everySeconds: number
  mode: Mode
  /** In catalogue order, without pairs that were never quoted. */
  quotes: BoardQuote[]
  sources: SourceHealth[]
  anySourceAnswered: boolean
  /** Whether a later cycle recorded nothing because its clock was wrong. */
  clockWrong?: boolean | undefined
  /**
   * The day of Banco Nación's last table. Banks opened on it, even if it is a calendar holiday.
   */
  tableDay?: Day | undefined
  /** The last day on which the bonds' panel moved MEP or CCL. */
  tradedDay?: Day | undefined
  /** The holidays of the public list that the built-in calendar does not have. */
  decreed?: HolidayDifferences['decreed'] | undefined
  lacking?: HolidayDifferences['lacking'] | undefined
  /**
   * The revision of the history when the cycle was recorded (shared/db/quotes/quotes.ts).
   * Absent in boards made from the database.
   */
  historyRevision?: number | undefined
}

/** The v2 fields as printed, and the values from which readers compute `change` and the status. */
export interface BoardQuote {
  currency: string
  name: string
  origin: string
  buy: number
  sell: number
  /** Argentine form, as printed. */
  updatedAt: string
  lastScrapedAt: string
  valueType: ValueType
  /**
   * The last sell before the day of `updatedAt` began in Argentina (shared/market/change.ts).
   */
  referenceSell: number | null
  /** The source that last confirmed the value. */
  source: string
  /** Whether the guard holds back a newer value. */
  held: boolean
}

export interface SourceHealth {
  name: string
  /** Argentine form; null before the first success. */
  lastSuccessAt: string | null
  /** Class of the last failure since the last success (`timeout`, `http`, `format`…), or null. */
  lastError: string | null
  everyMinutes: number
}

/** The quote of a pair, undefined when it was never quoted. */
export function quoteOf(board: Board, currency: string, origin: string): BoardQuote | undefined {
  return board.quotes.find((quote) => quote.currency === currency && quote.origin === origin)
}

/** A current quote as lists print it, in v2 fields. */
export function printQuote(quote: BoardQuote) {
  const { currency, name, origin, buy, sell, updatedAt, lastScrapedAt, valueType } = quote
  return { currency, name, origin, buy, sell, updatedAt, lastScrapedAt, valueType }
}

/** A current quote as reads of one pair print it: with `change`. */
export function printQuoteWithChange(quote: BoardQuote, now: Instant) {
  return { ...printQuote(quote), change: changeOf(quote, now) }
}

function changeOf(quote: BoardQuote, now: Instant) {
  return changeOfDay(
    {
      sell: numberToPrice(quote.sell),
      updatedAt: Date.parse(quote.updatedAt),
      referenceSell: quote.referenceSell === null ? null : numberToPrice(quote.referenceSell),
    },
    now,
  )
}

/** The name of the single Durable Object that serves all streams. */
export const STREAM_NAME = 'quotes'

/** Receives the board of each cycle, right after the scraper has published the board. */
export interface BoardListener {
  publish(board: Board): Promise<void>
}

export interface BoardRead {
  /** The board to show: from KV, or from the database when KV has no trusted board. */
  board: Board | null
  /** The board in KV, trusted or not. */
  published: Board | null
}

/**
 * Reads the board from KV. `fallback` builds a board from the database
 * (shared/db/quotes/quotes.ts).
 */
export async function readBoard(
  kv: KVNamespace,
  fallback: () => Promise<Board>,
  now: Instant,
): Promise<BoardRead> {
  const published = await readPublishedBoard(kv)
  if (published && isTrusted(published, now)) return { board: published, published }

  try {
    return { board: await fallback(), published }
  } catch (error) {
    logFailure('board_fallback_failed', error)
    return { board: null, published }
  }
}

/** The board in KV, trusted or not. */
export function readPublishedBoard(kv: KVNamespace): Promise<Board | null> {
  return readDocument<Board>(kv, BOARD_KEY, BOARD_SCHEMA, 'board_read_failed')
}

/** Seconds that KV caches a value near its reader. KV accepts no shorter TTL. */
export const KV_CACHE_TTL = 30

/** The document of a KV key. Null when it is missing, has another schema or cannot be read. */
export async function readDocument<Document extends { schema: number }>(
  kv: KVNamespace,
  key: string,
  schema: Document['schema'],
  failure: string,
): Promise<Document | null> {
  try {
    const text = await kv.get(key, { cacheTtl: KV_CACHE_TTL })
    const document = JSON.parse(text ?? 'null') as Document | null
    return document?.schema === schema ? document : null
  } catch (error) {
    logFailure(failure, error)
    return null
  }
}
