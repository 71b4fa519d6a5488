import type { Route } from './route.ts'
import { accountApiRoutes, accountPageRoutes, accountWebhookRoutes } from './routes/account.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { nowhere } from './routes/nowhere.ts'
import { pageRoutes } from './routes/pages.ts'
import { privateRoutes } from './routes/private.ts'
import { publicRoutes } from './routes/public.ts'

/** Every public input of the service, in the order of the table. */
export const ROUTES: readonly Route[] = [
  ...publicRoutes,
  ...privateRoutes,
  ...mcpRoutes,
  ...accountApiRoutes,
  ...accountPageRoutes,
  ...accountWebhookRoutes,
  ...pageRoutes,
  ...nowhere,
]
