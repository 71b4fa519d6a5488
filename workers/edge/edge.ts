import type { Deps, EdgeEnv } from './context.ts'

/**
 * The edge's request handler. Current reads come first and load nothing else; the rest of the API
 * is evaluated at its first request, so that zod and drizzle cost the hot path nothing.
 */
export function createEdge(deps: Deps) {
  let app: Promise<{
    fetch: (
      request: Request,
      env: EdgeEnv,
      context: ExecutionContext,
    ) => Response | Promise<Response>
  }>

  return {
    async fetch(request, env, context) {
      if (!new URL(request.url).pathname.startsWith('/api/'))
        return deps.site(request, env, context)

      app ??= import('./app.ts').then(({ createApp }) => createApp(deps))
      return (await app).fetch(request, env, context)
    },
  } satisfies ExportedHandler<EdgeEnv>
}
