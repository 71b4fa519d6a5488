import type { Route } from './route.ts'
import { accountApiRoutes, accountPageRoutes, accountWebhookRoutes } from './routes/account.ts'
import { accountAlertRoutes } from './routes/account-alerts.ts'
import { extensionRoutes } from './routes/extensions.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { nowhere, pageRoutes } from './routes/pages.ts'
import { peerRoutes } from './routes/compatibility.ts'
import { privateRoutes } from './routes/private.ts'
import { publicRoutes } from './routes/public.ts'

/**
 * Every public input of the service, in the order of the table. The API's are chosen more often.
 */
export const ROUTES: readonly Route[] = [
  ...oftener(3, publicRoutes),
  ...oftener(2, privateRoutes),
  ...oftener(2, extensionRoutes),
  ...oftener(2, peerRoutes),
  ...oftener(2, mcpRoutes),
  ...accountApiRoutes,
  ...accountPageRoutes,
  ...accountWebhookRoutes,
  ...accountAlertRoutes,
  ...pageRoutes,
  ...oftener(2, nowhere),
]

function oftener(times: number, routes: readonly Route[]): Route[] {
  return routes.map((route) => ({ ...route, weight: times * route.weight }))
}
