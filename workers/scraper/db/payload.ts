/**
 * The body of a delivery. It is fixed when its event is made and is the same at every attempt. Chat
 * destinations get an embed rendered from it. SQL makes the bodies of syncs and tests
 * (shared/db/deliveries/payload-sql.ts).
 */
import { formatUtc, type Instant } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { percentChange, type Price, priceToNumber } from '../../../shared/market/price.ts'

interface Value {
  buy: Price
  sell: Price
}

/**
 * The payload of a change. `madeAt` is the instant of the event (decisions 34, 52: ids and
 * timestamps).
 */
export function changePayload(
  pair: Pair,
  change: { current: Value & { updatedAt: Instant }; previous: Value; madeAt: Instant },
): string {
  const { current, previous, madeAt } = change

  return JSON.stringify({
    event: 'rate.updated',
    currency: pair.currency,
    origin: pair.origin,
    buy: priceToNumber(current.buy),
    sell: priceToNumber(current.sell),
    prevBuy: priceToNumber(previous.buy),
    prevSell: priceToNumber(previous.sell),
    changePct: percentChange(current.sell, previous.sell),
    valueType: pair.valueType,
    updatedAt: formatUtc(current.updatedAt),
    timestamp: formatUtc(madeAt),
  })
}
