import { argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import { type Board, type BoardQuote, quoteOf } from '../../../shared/board/board.ts'
import { printQuote, printQuoteWithChange } from '../../../shared/board/current-quote.ts'
import { CORS_HEADERS } from '../../../shared/cors.ts'
import { strongEtag } from '../http/etag.ts'
import type { CurrentRead } from './current-read.ts'

/** A serialised answer, made once for each board. */
export interface Answer {
  /** Null when the pair was never quoted. */
  body: string | null
  etag: string
  /**
   * The 200 and the 304, without a body. What is sent copies their status and headers, which costs
   * less than to copy `Headers`.
   */
  whole: Response
  unchanged: Response
}

/**
 * The answers of one board on one Argentine day, each made at its first request, by the read or by a
 * text that names its form.
 */
export interface Answers {
  board: Board
  day: string
  made: Map<CurrentRead | string, Answer>
}

export function openAnswers(board: Board, now: Instant): Answers {
  return { board, day: argentineDay(now), made: new Map() }
}

export function answerOf(answers: Answers, read: CurrentRead, now: Instant): Answer {
  return (
    answers.made.get(read) ??
    keepAnswer(answers, read, bodyOf(answers.board, read, now), { Vary: 'Accept' })
  )
}

/** Serialises an answer of the board once; it is kept under `key` for as long as the board is. */
export function keepAnswer(
  answers: Answers,
  key: CurrentRead | string,
  body: string | null,
  headers: Record<string, string>,
): Answer {
  const etag = strongEtag(body ?? '')
  const whole = new Response(null, { headers: headersOf(answers.board, etag, headers) })
  const unchanged = new Response(null, { status: 304, headers: whole.headers })
  const answer = { body, etag, whole, unchanged }
  answers.made.set(key, answer)
  return answer
}

function headersOf({ mode }: Board, etag: string, more: Record<string, string>): Headers {
  const headers = new Headers({
    ...CORS_HEADERS,
    'Content-Type': 'application/json',
    'Cache-Control': 'public, max-age=60',
    ETag: etag,
    ...more,
  })
  // Readers must be able to tell simulated or replayed prices.
  if (mode !== 'live') headers.set('X-Service-Mode', mode)
  return headers
}

/** The quotes of a list read. */
export function quotesOf({ quotes }: Board, currency: string | null): BoardQuote[] {
  return quotes.filter((quote) => currency === null || quote.currency === currency)
}

function bodyOf(board: Board, { generation, ...read }: CurrentRead, now: Instant): string | null {
  if (read.kind === 'pair') {
    const quote = quoteOf(board, read.currency, read.origin)
    if (!quote) return null

    const print = generation === 1 ? printV1 : printQuoteWithChange
    return JSON.stringify(print(quote, now))
  }

  const print = generation === 1 ? printV1 : printQuote
  return JSON.stringify(quotesOf(board, read.currency).map((quote) => print(quote)))
}

/** v1 is v2 renamed. */
export function printV1(quote: BoardQuote) {
  return {
    moneda: quote.currency,
    nombre: quote.name,
    origen: quote.origin,
    compra: quote.buy,
    venta: quote.sell,
    actualizado: quote.updatedAt,
  }
}
