import type { Context } from 'hono'
import { Hono } from '../hono.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { orThrow } from '../../../shared/or-throw.ts'
import { unavailable } from '../errors.ts'
import { requireKey } from '../middleware/api-key.ts'
import { UUID_PATTERN } from '../../../shared/uuid.ts'

/** How long a client should wait when the site does not answer, in seconds. */
const RETRY_SECONDS = 10

/** Webhooks and alerts have the same operations. */
const SUBJECTS = ['/api/v2/webhooks', '/api/v2/alerts']
/** Other ids are nobody's: they are not asked for. */
const UUID = `{${UUID_PATTERN}}`

/**
 * The management of an account's webhooks and alerts, which counts as one (decision 16). The gate
 * stands here; what is behind it answers elsewhere, so that reads do not start with its code.
 */
export function managementRoutes(deps: AppDeps) {
  const manage = (c: Context<EdgeContext>) =>
    // It answers its own errors: what rejects is the call.
    orThrow(
      deps.manage(c.req.raw, c.var.account.accountId, c.env, c.executionCtx as ExecutionContext),
      'management_failed',
      () => unavailable('La gestión no está disponible en este momento', RETRY_SECONDS),
    )
  const app = new Hono<EdgeContext>()

  for (const all of SUBJECTS) {
    const one = `${all}/:id${UUID}`
    const delivery = `${all}/deliveries/:deliveryId${UUID}`
    app
      .use(`${all}/*`, requireKey(deps, { management: true }))
      .get(`${all}/deliveries`, manage)
      .on(['GET', 'POST'], all, manage)
      .on(['GET', 'PATCH', 'DELETE'], one, manage)
      .on('POST', [`${one}/rotate-secret`, `${one}/test`, `${one}/redeliver`], manage)
      .on('POST', `${delivery}/redeliver`, manage)
  }
  return app
}
