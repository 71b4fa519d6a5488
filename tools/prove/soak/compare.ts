/**
 * Compares what the receivers saw with the database, once everything has ended. Deliveries are sent
 * at least once, which means: every POST follows a committed claim, which counts as an attempt. An
 * attempt has no POST only when the service was killed while it held the row. A receiver that
 * confirmed a delivery sees it again only for the same reason.
 */
import type { Post } from './posts.ts'
import type { DeliveryType } from '../../../shared/webhooks/delivery.ts'

export interface StoredDelivery {
  id: number
  deliveryId: string
  webhookId: string
  type: DeliveryType
  status: string
  attempts: number
}

export interface Seen {
  deliveries: readonly StoredDelivery[]
  posts: readonly Post[]
  /** Delivery ids of the rows that were being sent, for each kill. */
  cut: readonly (readonly string[])[]
  /** Delivery ids of the tests that the API accepted. */
  accepted: readonly string[]
}

export interface Comparison {
  name: string
  checked: number
  broken: readonly string[]
}

/** The end of a connection may be seen a moment after the next POST on another one. */
const OVERLAP_MS = 250

const OPEN = ['pending', 'sending', 'failed']

export function compare({ deliveries, posts, cut, accepted }: Seen): Comparison[] {
  const stored = new Map(deliveries.map((delivery) => [delivery.deliveryId, delivery]))
  const byDelivery = Map.groupBy(posts, ({ deliveryId }) => deliveryId)
  const cuts = Map.groupBy(cut.flat(), (id) => id)
  const seenOf = (id: string) => byDelivery.get(id) ?? []
  const cutsOf = (id: string) => cuts.get(id)?.length ?? 0
  const confirmedOf = (id: string) => seenOf(id).filter(({ confirmed }) => confirmed).length

  const of = (
    name: string,
    isBroken: (delivery: StoredDelivery) => boolean,
    among = deliveries,
  ): Comparison => ({
    name,
    checked: among.length,
    broken: among.filter(isBroken).map(({ deliveryId }) => deliveryId),
  })

  return [
    of('every accepted delivery ended', ({ status }) => OPEN.includes(status)),
    {
      name: 'every accepted test is a delivery',
      checked: accepted.length,
      broken: accepted.filter((id) => !stored.has(id)),
    },
    {
      name: 'every POST is of a stored delivery and its webhook',
      checked: posts.length,
      broken: posts
        .filter(({ deliveryId, webhookId }) => stored.get(deliveryId)?.webhookId !== webhookId)
        .map(({ deliveryId }) => deliveryId),
    },
    of(
      'no delivery has more POSTs than attempts',
      ({ deliveryId, attempts }) => seenOf(deliveryId).length > attempts,
    ),
    of(
      'an attempt without a POST was cut by a kill',
      ({ deliveryId, attempts }) => attempts - seenOf(deliveryId).length > cutsOf(deliveryId),
    ),
    of(
      'every delivered one was confirmed by its receiver',
      ({ deliveryId }) => confirmedOf(deliveryId) === 0,
      deliveries.filter(({ status }) => status === 'delivered'),
    ),
    of(
      'a confirmed one came again, or did not count, only after a kill',
      ({ deliveryId, status }) =>
        confirmedOf(deliveryId) - (status === 'delivered' ? 1 : 0) > cutsOf(deliveryId),
    ),
    {
      name: 'every attempt of a delivery has the same body',
      checked: byDelivery.size,
      broken: [...byDelivery]
        .filter(([, seen]) => seen.some(({ body }) => body !== seen[0]!.body))
        .map(([id]) => id),
    },
    ...orderOf(posts, stored),
  ]
}

/** Automatic and sync deliveries, webhook by webhook, as they arrived. */
function orderOf(
  posts: readonly Post[],
  stored: ReadonlyMap<string, StoredDelivery>,
): Comparison[] {
  const ordered = posts.filter(({ deliveryId }) => {
    const type = stored.get(deliveryId)?.type
    return type === 'automatic' || type === 'sync'
  })
  const pairs = [...Map.groupBy(ordered, ({ webhookId }) => webhookId).values()].flatMap((seen) =>
    seen.slice(1).map((post, index) => [seen[index]!, post] as const),
  )
  const idOf = ({ deliveryId }: Post) => stored.get(deliveryId)!.id
  const of = (name: string, isBroken: (before: Post, after: Post) => boolean) => ({
    name,
    checked: pairs.length,
    broken: pairs.filter((pair) => isBroken(...pair)).map(([, { deliveryId }]) => deliveryId),
  })

  return [
    of('each webhook’s POSTs came in order', (before, after) => idOf(after) < idOf(before)),
    of(
      'no webhook had two POSTs at once',
      (before, after) => after.startedAt < before.endedAt - OVERLAP_MS,
    ),
  ]
}
