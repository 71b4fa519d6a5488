import type { Deps, SiteEnv } from './context.ts'

type App = {
  fetch: (request: Request, env: SiteEnv, context: ExecutionContext) => Response | Promise<Response>
}

/**
 * The site's request handler: everything that is not the public API. It is evaluated at its first
 * request, so that in `standalone` pages cost the API nothing.
 */
export function createSite(deps: Deps) {
  let app: Promise<App> | undefined

  return {
    async fetch(request: Request, env: SiteEnv, context: ExecutionContext): Promise<Response> {
      app ??= import('./app.ts').then(({ createApp }) => createApp(deps))
      return (await app).fetch(request, env, context)
    },
  }
}
