import { Hono } from 'hono'
import type * as z from 'zod/mini'
import { deliveriesQuery } from '../../../shared/webhooks/deliveries-query.ts'
import { listDeliveries } from '../../../shared/db/deliveries/list.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { badRequest, HttpError } from '../errors.ts'
import { requireKey } from '../middleware/api-key.ts'
import { deliveryView } from './webhook-view.ts'

/** The account's deliveries, newest first, a page at a time. */
export function deliveryRoutes(deps: AppDeps) {
  return new Hono<EdgeContext>().get(
    '/api/v2/webhooks/deliveries',
    requireKey(deps, { management: true }),
    async (c) => {
      const { cursor, ...filters } = parseQuery(new URL(c.req.url).searchParams)
      const page = await listDeliveries(c.env.DB, c.var.account.accountId, {
        ...filters,
        after: cursor === undefined ? undefined : idOf(cursor),
      })
      if (!page.ok) throw cursorNotFound()

      const { deliveries, next } = page.value
      return c.json({
        deliveries: deliveries.map(deliveryView),
        nextCursor: next === null ? null : `v1:${next}`,
      })
    },
  )
}

function parseQuery(parameters: URLSearchParams): z.output<typeof deliveriesQuery> {
  const names = [...parameters.keys()]
  const parsed = deliveriesQuery.safeParse(Object.fromEntries(parameters))
  if (parsed.success && new Set(names).size === names.length) return parsed.data

  throw badRequest('Los parámetros de la consulta no son válidos')
}

/** A number past what ids can be is no row's. */
function idOf(cursor: string): number {
  const id = Number(cursor.slice('v1:'.length))
  if (!Number.isSafeInteger(id)) throw cursorNotFound()
  return id
}

function cursorNotFound(): HttpError {
  return new HttpError(404, 'Página no encontrada')
}
