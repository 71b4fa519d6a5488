import { Big } from 'big.js'
import { MINUTE_MS } from '../../../../shared/argentine-time.ts'
import type { PairKey } from '../../../../shared/market/catalog.ts'
import { PRICE_SCALE } from '../../../../shared/market/price.ts'
import { bothSides, type DeriveContext, type Derivation, type DerivedQuote } from '../derivation.ts'
import { type BondTickers, CHECK_BOND, MAIN_BOND } from '../../sources/bonds.ts'
import type { Reading } from '../../sources/source.ts'

type Book = Extract<Reading, { kind: 'book' }>
type Books = ReadonlyMap<string, Book>

/** The largest difference between the two bonds. */
const BONDS_APART = new Big('0.02')
/** The largest fraction by which CCL may be below MEP. */
const CCL_UNDER_MEP = new Big('0.01')
/** If CCL moved further than this and MEP did not, the move is one thin trade. */
const CCL_ALONE = new Big('0.015')
/** With a wider spread the book is not used, and the last trade gives both sides. */
const WIDEST_BOOK = new Big('0.01')
/** `movedAlone` compares only with a value confirmed so recently, so it cannot block for ever. */
const YARDSTICK_MS = 30 * MINUTE_MS

/**
 * MEP and CCL: a bond's price in pesos, divided by its price in dollars or in cable, with the same
 * settlement. MEP uses the order books while their spread is small: who buys MEP pays the ask in
 * pesos and gets the bid in dollars. The spread of the cable book is never small, so CCL is the
 * ratio of today's last trades.
 */
export function bondRatio(leg: 'mep' | 'ccl'): Derivation {
  return (readings, context) => {
    const books = booksOf(readings)
    const mep = lastRatio(books, MAIN_BOND, 'mep')
    const main = leg === 'mep' ? mep : lastRatio(books, MAIN_BOND, 'ccl')
    const check = lastRatio(books, CHECK_BOND, leg)
    if (main && check && apart(main, check).gt(BONDS_APART)) return null
    if (leg === 'mep') return bookRatio(books) ?? (main && bothSides(main))

    const isOdd = main && mep && (isUnder(main, mep) || movedAlone(main, mep, context))
    return main && !isOdd ? bothSides(main) : null
  }
}

function isUnder(ccl: Big, mep: Big): boolean {
  return ccl.lt(mep.times(new Big(1).minus(CCL_UNDER_MEP)))
}

function movedAlone(ccl: Big, mep: Big, context: DeriveContext): boolean {
  const [cclMove, mepMove] = [move('USD/CCL', ccl, context), move('USD/BOLSA', mep, context)]
  return cclMove !== null && mepMove !== null && cclMove.gt(CCL_ALONE) && mepMove.lte(CCL_ALONE)
}

/** The relative move from the published value; null when that was not confirmed recently. */
function move(pair: PairKey, value: Big, { current, now }: DeriveContext): Big | null {
  const published = current.get(pair)
  if (!published || now - published.lastScrapedAt > YARDSTICK_MS) return null

  return apart(value, new Big(published.sell).div(PRICE_SCALE))
}

/** Both sides from the books, or null when a book is empty or the sides are too far apart. */
function bookRatio(books: Books): DerivedQuote | null {
  const [pesos, dollars] = [books.get(MAIN_BOND.pesos), books.get(MAIN_BOND.mep)]
  if (!pesos?.bid || !pesos.ask || !dollars?.bid || !dollars.ask) return null

  const [buy, sell] = [pesos.bid.div(dollars.ask), pesos.ask.div(dollars.bid)]
  return buy.lte(sell) && apart(sell, buy).lte(WIDEST_BOOK) ? { buy, sell } : null
}

function lastRatio(books: Books, bond: BondTickers, leg: 'mep' | 'ccl'): Big | null {
  const [pesos, dollars] = [books.get(bond.pesos)?.last, books.get(bond[leg])?.last]
  return pesos && dollars ? pesos.div(dollars) : null
}

function booksOf(readings: readonly Reading[]): Books {
  const books = readings.filter((reading) => reading.kind === 'book')
  return new Map(books.map((book) => [book.symbol, book]))
}

/** The relative difference of two values. */
function apart(value: Big, other: Big): Big {
  return value.minus(other).abs().div(other)
}
