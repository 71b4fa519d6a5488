import { createApp } from './app.ts'
import type { Deps, SiteEnv } from './context.ts'

/**
 * The site's request handler: everything that is not the public API. Evaluated when the Worker
 * starts, not at its first request: the sign-in library imports a module of the runtime while it
 * is evaluated, and that promise would die with the request that began it, with every later
 * sign-in waiting for it.
 */
export function createSite(deps: Deps) {
  const app = createApp(deps)

  return {
    async fetch(request: Request, env: SiteEnv, context: ExecutionContext): Promise<Response> {
      return app.fetch(request, env, context)
    },
  }
}
