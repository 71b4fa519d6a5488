/**
 * The body of a delivery, which is fixed when the event is made and the same at every attempt. Chat
 * destinations get an embed instead, which is rendered from this body.
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
 * The default of `previous` is for a sync or a test, whose value has not changed. `madeAt` is the
 * instant of the event (decisions 34, 52: ids and timestamps).
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
