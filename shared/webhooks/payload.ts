/**
 * The body of a delivery. It is fixed when its event is made and is the same at every attempt. Chat
 * destinations get an embed rendered from it.
 */
import { formatUtc, type Instant } from '../argentine-time.ts'
import type { Pair } from '../market/catalog.ts'
import { percentChange, type Price, priceToNumber } from '../market/price.ts'

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
  return JSON.stringify(payloadOf('rate.updated', pair, change))
}

/** The payload of a sync or a test: the value in effect, unchanged. */
export function repeatPayload(
  kind: 'sync' | 'manual',
  pair: Pair,
  current: Value & { updatedAt: Instant },
  madeAt: Instant,
): string {
  const repeat = { current, previous: current, madeAt }
  return JSON.stringify(
    kind === 'sync'
      ? payloadOf('rate.updated', pair, repeat)
      : { ...payloadOf('manual.trigger', pair, repeat), isManual: true },
  )
}

function payloadOf(
  event: string,
  pair: Pair,
  { current, previous, madeAt }: Parameters<typeof changePayload>[1],
) {
  return {
    event,
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
  }
}
