import type { Route } from './route.ts'
import {
  accountAlertRoutes,
  accountApiRoutes,
  accountPageRoutes,
  accountWebhookRoutes,
} from './routes/account.ts'
import { documentedRoutes } from './routes/documented.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { nowhere, pageRoutes } from './routes/pages.ts'

/** Every public input of the service, in the order of the table. */
export const ROUTES: readonly Route[] = [
  ...documentedRoutes,
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
