import { Big } from 'big.js'
import { DAY_MS, MINUTE_MS } from '../../../../shared/argentine-time.ts'
import type { Derivation, DeriveContext, DerivedQuote } from '../derivation.ts'
import type { Reading } from '../../sources/source.ts'

type Offer = Extract<Reading, { kind: 'offer' }>

/** With fewer offers, a single offer could decide the median. */
const FEWEST = 3
const FARTHEST = new Big('0.03')
/** Clocks differ a little, so a time up to this far ahead is not in the future. */
const SKEW_MS = MINUTE_MS

/** The cripto dollar: medians of buy and sell of USDT after fees, over exchanges that are live. */
export const medianOfExchanges: Derivation = (readings, context) =>
  medians(freshOffers(readings, context, 15 * MINUTE_MS))

/** The median of the banks with a quote at most a day old, because some quotes are months old. */
export const medianOfBanks: Derivation = (readings, context) =>
  medians(freshOffers(readings, context, DAY_MS))

export function quoteOfBank(bank: string): Derivation {
  return (readings, context) => {
    const offer = freshOffers(readings, context, DAY_MS).find(({ by }) => by === bank)
    return offer ? { buy: offer.bid, sell: offer.ask } : null
  }
}

/** Offers with both sides, not crossed, and recent. */
function freshOffers(
  readings: readonly Reading[],
  { now, replayed }: DeriveContext,
  age: number,
): Offer[] {
  const offers = readings.filter((reading) => reading.kind === 'offer')
  // In a recording, ages count from its newest offer.
  const latest = replayed ? Math.max(...offers.map(({ time }) => time)) : now
  return offers.filter(
    ({ bid, ask, time }) =>
      bid.gt(0) && ask.gte(bid) && latest - time <= age && time - latest <= SKEW_MS,
  )
}

/** The medians of the offers within 3 % of the median; null with fewer than three. */
function medians(offers: readonly Offer[]): DerivedQuote | null {
  if (offers.length < FEWEST) return null

  const ask = median(offers.map((offer) => offer.ask))
  const bid = median(offers.map((offer) => offer.bid))
  const near = offers.filter((offer) => isNear(offer.ask, ask) && isNear(offer.bid, bid))
  if (near.length < FEWEST) return null

  return {
    buy: median(near.map((offer) => offer.totalBid)),
    sell: median(near.map((offer) => offer.totalAsk)),
  }
}

function isNear(value: Big, middle: Big): boolean {
  return value.minus(middle).abs().lte(middle.times(FARTHEST))
}

/** For an even number, the mean of the middle two. */
function median(values: readonly Big[]): Big {
  const sorted = values.toSorted((a, b) => a.cmp(b))
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1]!, sorted[Math.floor(middle)]!]
  return low.plus(high).div(2)
}
