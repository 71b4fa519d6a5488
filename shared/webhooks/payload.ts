/**
 * The body of a delivery. It is fixed when its event is made and is the same at every attempt. Chat
 * destinations get an embed rendered from it.
 */
import { formatUtc, type Instant } from '../argentine-time.ts'
import type { Pair } from '../market/catalog.ts'
import { percentChange, priceToNumber, type QuotedPoint } from '../market/price.ts'
import type { DeliveryType } from './delivery.ts'

type Value = Pick<QuotedPoint, 'buy' | 'sell'>

/** The payload of a delivery. */
export function payloadOf(...event: Parameters<typeof eventOf>): string {
  return JSON.stringify(eventOf(...event))
}

/** The fields of a delivery of a change, a sync or a test. */
export type ChangeEvent = ReturnType<typeof eventOf>

/**
 * A sync and a test repeat the value in effect, unchanged. `madeAt` is the instant of the event
 * (decisions 34, 52: ids and timestamps).
 */
function eventOf(
  type: DeliveryType,
  pair: Pair,
  current: Value & { updatedAt: Instant },
  madeAt: Instant,
  previous: Value = current,
) {
  return {
    event: type === 'manual' ? ('manual.trigger' as const) : ('rate.updated' as const),
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
    ...(type === 'manual' && { isManual: true }),
  }
}
