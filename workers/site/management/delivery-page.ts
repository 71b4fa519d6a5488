import type { Context } from 'hono'
import type * as z from 'zod/mini'
import type { deliveriesQuery } from './deliveries-query.ts'
import { listDeliveries } from '../db/deliveries.ts'
import type { SubscriptionKind } from '../../../shared/webhooks/webhook.ts'
import type { ManagementContext } from './context.ts'
import { badRequest, HttpError } from '../../../shared/http-error.ts'
import { PAGE_NOT_FOUND, WRONG_QUERY } from '../../../shared/sentences.ts'

export type DeliveryFilters = Omit<z.output<typeof deliveriesQuery>, 'webhookId'> & {
  subscriptionId?: string | undefined
}

/** A page of the account's deliveries of a kind, newest first. */
export async function readDeliveries(
  c: Context<ManagementContext>,
  { cursor, ...filters }: DeliveryFilters,
  kind: SubscriptionKind,
) {
  const after = cursor === undefined ? undefined : idOf(cursor)
  const query = { ...filters, after }
  const page = await listDeliveries(c.env.DB, c.env.accountId, query, kind)
  if (!page.ok) throw cursorNotFound()

  const { deliveries, next } = page.value
  return { deliveries, nextCursor: next === null ? null : `v1:${next}` }
}

/** The query of a request, or a 400: a parameter that is given twice is refused, too. */
export function parseQuery<Schema extends z.ZodMiniType>(
  schema: Schema,
  c: Context<ManagementContext>,
): z.output<Schema> {
  const parameters = new URL(c.req.url).searchParams
  const names = [...parameters.keys()]
  const parsed = schema.safeParse(Object.fromEntries(parameters))
  if (parsed.success && new Set(names).size === names.length) return parsed.data

  throw badRequest(WRONG_QUERY)
}

/** No row has an id that large. */
function idOf(cursor: string): number {
  const id = Number(cursor.slice('v1:'.length))
  if (!Number.isSafeInteger(id)) throw cursorNotFound()
  return id
}

function cursorNotFound(): HttpError {
  return new HttpError(404, PAGE_NOT_FOUND)
}
