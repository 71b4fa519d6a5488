import { argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import type { Board, BoardQuote } from '../../../shared/board/board.ts'
import { printQuote, printQuoteWithChange } from '../../../shared/board/current-quote.ts'
import { CORS_HEADERS } from '../../../shared/cors.ts'
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

function bodyOf(board: Board, { generation, ...read }: CurrentRead, now: Instant): string | null {
  if (read.kind === 'pair') {
    const quote = board.quotes.find(
      (quote) => quote.currency === read.currency && quote.origin === read.origin,
    )
    if (!quote) return null

    const print = generation === 1 ? printV1 : printQuoteWithChange
    return JSON.stringify(print(quote, now))
  }

  const print = generation === 1 ? printV1 : printQuote
  return JSON.stringify(
    board.quotes
      .filter((quote) => read.currency === null || quote.currency === read.currency)
      .map((quote) => print(quote)),
  )
}

/** v1 is v2 renamed. */
function printV1(quote: BoardQuote) {
  return {
    moneda: quote.currency,
    nombre: quote.name,
    origen: quote.origin,
    compra: quote.buy,
    venta: quote.sell,
    actualizado: quote.updatedAt,
  }
}
