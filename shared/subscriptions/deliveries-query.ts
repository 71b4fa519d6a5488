/** The query of the deliveries list, for its route and the reference. */
import * as z from 'zod/mini'
import { DELIVERY_STATUSES } from '../webhooks/delivery.ts'
import { uuid } from './webhook-bodies.ts'

/** Deliveries of a page. */
export const DELIVERY_PAGE_MAX = 50

export const deliveriesQuery = z.strictObject({
  webhookId: z.optional(uuid),
  deliveryId: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  status: z.optional(z.enum(DELIVERY_STATUSES)),
  cursor: z.optional(z.string().check(z.regex(/^v1:\d+$/))),
  limit: z._default(
    z.pipe(
      z.pipe(z.string().check(z.regex(/^\d+$/)), z.transform(Number)),
      z.int().check(z.gte(1), z.lte(DELIVERY_PAGE_MAX)),
    ),
    DELIVERY_PAGE_MAX,
  ),
})
