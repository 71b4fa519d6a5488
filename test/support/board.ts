import type { Instant } from '../../shared/argentine-time.ts'
import { BOARD_KEY, type Board, type BoardQuote } from '../../shared/board/board.ts'
import { findPairByKey, type PairKey, PAIRS } from '../../shared/market/catalog.ts'
import { env } from './env.ts'

/** A valid quote of the board, with the changes of the test. */
export function aBoardQuote(key: PairKey, changes: Partial<BoardQuote> = {}): BoardQuote {
  const { currency, name, origin, valueType } = findPairByKey(key)!
  return {
    currency,
    name,
    origin,
    buy: 1410,
    sell: 1430,
    updatedAt: '2026-03-02T11:55:00.000-03:00',
    lastScrapedAt: '2026-03-02T12:00:00.000-03:00',
    valueType,
    referenceSell: 1400,
    source: 'ambito-blue',
    held: false,
    ...changes,
  }
}

/** A board with the given quotes, in catalogue order. */
export function aBoard(at: Instant, changes: Partial<Board> = {}): Board {
  const order = PAIRS.map((pair) => `${pair.currency}/${pair.origin}`)
  const quotes = (changes.quotes ?? []).toSorted(
    (a, b) =>
      order.indexOf(`${a.currency}/${a.origin}`) - order.indexOf(`${b.currency}/${b.origin}`),
  )
  return {
    schema: 1,
    generatedAt: at,
    everySeconds: 300,
    mode: 'live',
    sources: [],
    anySourceAnswered: true,
    ...changes,
    quotes,
  }
}

/** Publishes a board. */
export async function seedBoard(at: Instant, changes: Partial<Board> = {}): Promise<void> {
  await env.BOARD.put(BOARD_KEY, JSON.stringify(aBoard(at, changes)))
}
