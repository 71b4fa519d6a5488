import type { Big } from 'big.js'
import { emptyError, formatError } from './source-error.ts'
import type { Reading } from '../source.ts'

interface Book {
  symbol: string
  last: Big | null
  bid: Big | null
  ask: Big | null
}

/** The books of a panel: a symbol twice is `format`, no price at all (a closed market) `empty`. */
export function booksOf(books: readonly Book[]): Reading[] {
  const symbols = books.map(({ symbol }) => symbol)
  if (new Set(symbols).size < symbols.length) throw formatError('has a bond twice')
  if (books.every(({ last, bid, ask }) => !last && !bid && !ask)) {
    throw emptyError('has no price of our bonds')
  }
  return books.map((book) => ({ kind: 'book', ...book }))
}
