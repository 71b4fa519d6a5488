import { createCompatibilityReads } from './compatibility/current.ts'
import {
  hasCompatibility,
  isCompatibilityPath,
  requestWithoutSlash,
  withoutSlash,
} from './compatibility/switch.ts'
import { KEYS_PATH } from '../../shared/board/record.ts'
import type { EdgeDeps, EdgeEnv } from './context.ts'
import { createCurrentReads } from './current/current-reads.ts'
import { openMemory } from './memory.ts'
import { createPastAgain } from './past/past-again.ts'
import { pathOf } from './path.ts'

type App = {
  fetch: (request: Request, env: EdgeEnv, context: ExecutionContext) => Response | Promise<Response>
}

/**
 * The edge's request handler. Current reads come first, then what was asked before of days that are
 * over. The rest of the API is evaluated at its first request, so that Hono and zod cost these
 * nothing.
 */
export function createEdge(deps: EdgeDeps) {
  const memory = openMemory(deps)
  const answerCurrentRead = createCurrentReads(deps, memory.board)
  const answerCompatibilityRead = createCompatibilityReads(deps, memory.board)
  const answerPastAgain = createPastAgain(deps, memory)
  let app: App | undefined

  return {
    fetch(request, env, context) {
      // Read once: each look at a request leaves JavaScript.
      const { url } = request
      const path = pathOf(url)
      if (isAccountPath(path)) return deps.site(request, env, context)

      const answer = answerCurrentRead(request, { url, path }, env, context)
      if (answer) return answer

      const isCompatibility = isCompatibilityPath(path) && hasCompatibility(env.COMPATIBILITY)
      if (isCompatibility) {
        const answer = answerCompatibilityRead(request, withoutSlash(path), env, context)
        if (answer) return answer
      } else if (isSitePath(path)) {
        return deps.site(request, env, context)
      }
      const normalized = isCompatibility ? requestWithoutSlash(request, path) : request
      const count = isCompatibility ? memory.countCompatibilityDay : memory.countDateRead
      const again = answerPastAgain(normalized, env, context, count)
      if (again) return again

      if (app) return app.fetch(normalized, env, context)
      // Only the app is kept, never the promise: one of a request that was cancelled may never
      // settle, and every later request would wait for it.
      return import('./app.ts').then(({ createApp }) => {
        app ??= createApp(deps, memory)
        return app.fetch(normalized, env, context)
      })
    },
  } satisfies ExportedHandler<EdgeEnv>
}

/** Sessions and accounts are the site's, before the catalogue sees currencies in their paths. */
function isAccountPath(path: string): boolean {
  return path.startsWith('/api/a') && /^\/api\/(account|auth)(\/|$)/.test(path)
}

/** Pages and MCP; of `/datos` only the page, for its files are as large as KV has values. */
function isSitePath(path: string): boolean {
  if (path.startsWith('/api/')) return path === '/api/mcp'
  return !path.startsWith('/datos/') && path !== KEYS_PATH
}
