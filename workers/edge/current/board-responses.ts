import { argentineDay, type Day, type Instant } from '../../../shared/argentine-time.ts'
import { type Board, type BoardQuote, quoteOf } from '../../../shared/board/board.ts'
import { printQuote, printQuoteWithChange } from '../../../shared/board/current-quote.ts'
import { cachedOf, type Printed, TODAY_MAX_AGE } from '../http/cacheable.ts'
import type { CachedResponse } from '../http/cached-response.ts'
import { JSON_TYPE } from '../http/json.ts'
import type { CurrentRead } from './current-read.ts'

/** A board on one Argentine day, and the responses made of it so far. */
export interface BoardResponses {
  board: Board
  day: Day
  /** By path, and by form where it is not JSON; null for a pair that was never quoted. */
  made: Map<string, CachedResponse | null>
}

export function openResponses(board: Board, now: Instant): BoardResponses {
  return { board, day: argentineDay(now), made: new Map() }
}

/** The response of this key; it is printed once for a board. */
export function responseOf(
  { board, made }: BoardResponses,
  key: string,
  print: (board: Board) => Printed | null,
): CachedResponse | null {
  const known = made.get(key)
  if (known !== undefined) return known

  const printed = print(board)
  const response = printed && cachedOf({ ...printed, maxAgeSeconds: TODAY_MAX_AGE }, board.mode)
  made.set(key, response)
  return response
}

/** The JSON of a current read. */
export function jsonResponse(
  responses: BoardResponses,
  read: CurrentRead,
  now: Instant,
): CachedResponse | null {
  return responseOf(responses, read.path, (board) => {
    const value = printed(board, read, now)
    return value && { body: JSON.stringify(value), contentType: JSON_TYPE, vary: 'Accept' }
  })
}

/** The quotes of a list read. */
export function quotesOf({ quotes }: Board, currency: string | null): BoardQuote[] {
  return quotes.filter((quote) => currency === null || quote.currency === currency)
}

function printed(board: Board, { generation, ...read }: CurrentRead, now: Instant): object | null {
  if (read.kind === 'pair') {
    const quote = quoteOf(board, read.currency, read.origin)
    if (!quote) return null

    return generation === 1 ? printLegacy(quote) : printQuoteWithChange(quote, now)
  }

  const print = generation === 1 ? printLegacy : printQuote
  return quotesOf(board, read.currency).map((quote) => print(quote))
}

/** The legacy API has the fields of v2 under other names. */
export function printLegacy(quote: BoardQuote) {
  return {
    moneda: quote.currency,
    nombre: quote.name,
    origen: quote.origin,
    compra: quote.buy,
    venta: quote.sell,
    actualizado: quote.updatedAt,
  }
}
