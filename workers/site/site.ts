import { inRequest } from '../../shared/log.ts'
import { createApp } from './app.ts'
import type { Deps, SiteEnv } from './context.ts'

/**
 * The site's request handler: everything that is not the public API. The app is evaluated when the
 * Worker starts, not at its first request: the sign-in library imports a module of the runtime
 * during its evaluation, and if that import belonged to a cancelled request, every later sign-in
 * would wait for it.
 */
export function createSite(deps: Deps) {
  const app = createApp(deps)

  return {
    fetch(request: Request, env: SiteEnv, context: ExecutionContext): Promise<Response> {
      return inRequest(request, async () => app.fetch(request, env, context))
    },
  }
}
