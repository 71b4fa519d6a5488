import { Hono } from 'hono'
import { answerError } from '../../../shared/api-error.ts'
import { watchDatabase } from '../../../shared/db/watch.ts'
import { notFound } from '../../../shared/http-error.ts'
import type { ManagementContext, ManagementDeps, ManagementEnv } from './context.ts'
import { alertRoutes, webhookRoutes } from './subscription-routes.ts'

/**
 * What stands behind the edge's gate of `/api/v2/webhooks` and `/api/v2/alerts`. The edge has
 * verified the key and passes its account.
 */
export function createManagement(deps: ManagementDeps) {
  const app = createApp(deps)

  return {
    async fetch(
      request: Request,
      accountId: string,
      env: ManagementEnv,
      context: ExecutionContext,
    ): Promise<Response> {
      const { db: DB, failed: databaseFailed } = watchDatabase(env.DB)
      return app.fetch(request, { ...env, DB, accountId, databaseFailed }, context)
    },
  }
}

/** The routes. The edge refuses unknown ones before they come here. */
export function createApp(deps: ManagementDeps) {
  return new Hono<ManagementContext>()
    .onError((error, c) => answerError(error, c, c.env.databaseFailed()))
    .notFound((c) => answerError(notFound(), c, false))
    .route('/', webhookRoutes(deps))
    .route('/', alertRoutes(deps))
}
