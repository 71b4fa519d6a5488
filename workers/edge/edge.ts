import type { Deps, EdgeEnv } from './context.ts'
import { createCurrentReads } from './current/current-reads.ts'

type App = {
  fetch: (request: Request, env: EdgeEnv, context: ExecutionContext) => Response | Promise<Response>
}

/**
 * The edge's request handler. Current reads come first and load nothing else; the rest of the API
 * is evaluated at its first request, so that Hono, zod and drizzle cost the hot path nothing.
 */
export function createEdge(deps: Deps) {
  const answerCurrentRead = createCurrentReads(deps)
  let app: Promise<App> | undefined

  return {
    fetch(request, env, context) {
      const path = pathOf(request.url)
      if (isAccountPath(path)) return deps.site(request, env, context)

      const answer = answerCurrentRead(request, path, env)
      if (answer) return answer

      if (!path.startsWith('/api/') || path === '/api/mcp') return deps.site(request, env, context)
      app ??= import('./app.ts').then(({ createApp }) => createApp(deps))
      return app.then((app) => app.fetch(request, env, context))
    },
  } satisfies ExportedHandler<EdgeEnv>
}

/** Sessions and accounts are the site's, before the catalogue sees currencies in their paths. */
function isAccountPath(path: string): boolean {
  return path.startsWith('/api/a') && /^\/api\/(account|auth)(\/|$)/.test(path)
}

/** The path of an absolute URL as it was sent, escapes included; parsing it whole costs more. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  if (start === -1) return '/'

  const end = url.indexOf('?', start)
  return end === -1 ? url.slice(start) : url.slice(start, end)
}
