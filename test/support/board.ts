import type { Instant } from '../../shared/argentine-time.ts'
import { BOARD_KEY, type Board, type BoardQuote } from '../../shared/board/board.ts'
import { findPairByKey, pairKey, type PairKey, PAIRS } from '../../shared/market/catalog.ts'
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

/** A valid quote of every pair, with the same changes. */
export const everyQuote = (changes: Partial<BoardQuote> = {}) =>
  PAIRS.map((pair) => aBoardQuote(pairKey(pair), changes))

const rankOf = ({ currency, origin }: BoardQuote) =>
  PAIRS.findIndex((pair) => pair.currency === currency && pair.origin === origin)

/** A board with the given quotes, in catalogue order. */
export function aBoard(at: Instant, changes: Partial<Board> = {}): Board {
  const quotes = (changes.quotes ?? []).toSorted((a, b) => rankOf(a) - rankOf(b))
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
