import { argentineDay, formatArgentine, type Instant } from '../../../shared/argentine-time.ts'
import type { Board, BoardQuote } from '../../../shared/board.ts'
import { changeOfDay } from '../../../shared/change.ts'
import { numberToPrice } from '../../../shared/price.ts'
import { CORS_HEADERS } from '../http/cors.ts'
import { strongEtag } from '../http/etag.ts'
import type { CurrentRead } from './current-read.ts'

/** A serialised answer: what does not change between two boards is computed once. */
export interface Answer {
  /** Null when the pair was never quoted. */
  body: string | null
  etag: string
  headers: Headers
}

/** The answers of one board on one Argentine day, made when first asked for. */
export interface Answers {
  board: Board
  day: string
  made: Map<CurrentRead, Answer>
}

export function openAnswers(board: Board, now: Instant): Answers {
  return { board, day: argentineDay(now), made: new Map() }
}

export function answerOf(answers: Answers, read: CurrentRead, now: Instant): Answer {
  const made = answers.made.get(read)
  if (made) return made

  const body = bodyOf(answers.board, read, now)
  const etag = strongEtag(body ?? '')
  const answer = { body, etag, headers: headersOf(answers.board, etag) }
  answers.made.set(read, answer)
  return answer
}

function headersOf({ mode }: Board, etag: string): Headers {
  const headers = new Headers({
    ...CORS_HEADERS,
    'Content-Type': 'application/json',
    'Cache-Control': 'public, max-age=60',
    ETag: etag,
  })
  // Whoever reads simulated or replayed prices must be able to tell.
  if (mode !== 'live') headers.set('X-Service-Mode', mode)
  return headers
}

function bodyOf(board: Board, read: CurrentRead, now: Instant): string | null {
  const print = read.generation === 1 ? printV1 : printV2
  if (read.kind === 'pair') {
    const quote = board.quotes.find(
      (quote) => quote.currency === read.currency && quote.origin === read.origin,
    )
    if (!quote) return null

    const printed = print(quote, now)
    return JSON.stringify(
      read.generation === 1 ? printed : { ...printed, change: changeOf(quote, now) },
    )
  }

  return JSON.stringify(
    board.quotes
      .filter((quote) => read.currency === null || quote.currency === read.currency)
      .map((quote) => print(quote, now)),
  )
}

function printV2(quote: BoardQuote, now: Instant) {
  const { currency, name, origin, buy, sell, valueType } = quote
  const updatedAt = notAfter(quote.updatedAt, now)
  const lastScrapedAt = notAfter(quote.lastScrapedAt, now)
  return { currency, name, origin, buy, sell, updatedAt, lastScrapedAt, valueType }
}

/** v1 is v2 renamed. */
function printV1(quote: BoardQuote, now: Instant) {
  return {
    moneda: quote.currency,
    nombre: quote.name,
    origen: quote.origin,
    compra: quote.buy,
    venta: quote.sell,
    actualizado: notAfter(quote.updatedAt, now),
  }
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

/** No instant lies in the future (decision 3), also when this machine's clock is behind. */
function notAfter(printed: string, now: Instant): string {
  if (Date.parse(printed) <= now) return printed
  return formatArgentine(now)
}
