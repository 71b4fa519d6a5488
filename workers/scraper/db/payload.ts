/**
 * The body of a delivery. It is fixed when its event is made and the same at every attempt; chat
 * destinations get an embed rendered from it. The bodies of syncs and tests are made in SQL:
 * shared/db/deliveries/payload-sql.ts.
 */
import { formatUtc, type Instant } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { percentChange, type Price, priceToNumber } from '../../../shared/market/price.ts'
import type { DeliveryType } from '../../../shared/webhooks/delivery.ts'

interface Value {
  buy: Price
  sell: Price
}

/**
 * The payload of an event. `madeAt` is when the event was made (decisions 34, 52: ids and
 * timestamps).
 */
export function eventPayload(
  pair: Pair,
  event: {
    kind: DeliveryType
    current: Value & { updatedAt: Instant }
    previous: Value
    madeAt: Instant
  },
): string {
  const { kind, current, previous, madeAt } = event

  return JSON.stringify({
    event: kind === 'manual' ? 'manual.trigger' : 'rate.updated',
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
    ...(kind === 'manual' && { isManual: true }),
  })
}
