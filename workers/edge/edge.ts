import { inRequest } from '../../shared/log.ts'
import { createCompatibilityReads } from './compatibility/current.ts'
import {
  hasCompatibility,
  isCompatibilityPath,
  requestWithoutSlash,
  withoutSlash,
} from './compatibility/switch.ts'
import type { EdgeDeps, EdgeEnv } from './context.ts'
import { createCurrentReads } from './current/current-reads.ts'
import { inUtf8 } from './http/json.ts'
import { openMemory } from './memory.ts'
import { createDateRepeats } from './date-responses.ts'

type App = {
  fetch: (request: Request, env: EdgeEnv, context: ExecutionContext) => Response | Promise<Response>
}

/**
 * The edge's request handler. Current reads come first, then kept answers about days that are
 * over. The rest of the API is loaded at its first request, so that these reads do not pay for Hono
 * and zod.
 */
export function createEdge(deps: EdgeDeps) {
  const memory = openMemory(deps)
  const answerCurrentRead = createCurrentReads(deps, memory.board)
  const answerCompatibilityRead = createCompatibilityReads(deps, memory.board)
  const repeatDateAnswer = createDateRepeats(deps, memory.dateResponses)
  let app: App | undefined

  const edge = {
    fetch(request: Request, env: EdgeEnv, context: ExecutionContext): Response | Promise<Response> {
      // Read once, because each access to a request leaves JavaScript.
      const { url } = request
      const path = pathOf(url)
      if (isAccountPath(path)) return inUtf8(deps.site(request, env, context))

      const answer = answerCurrentRead(request, { url, path }, env, context)
      if (answer) return answer

      const isCompatibility = isCompatibilityPath(path) && hasCompatibility(env.COMPATIBILITY)
      if (isCompatibility) {
        const answer = answerCompatibilityRead(request, withoutSlash(path), env, context)
        if (answer) return answer
      } else if (isSitePath(path)) {
        return inUtf8(deps.site(request, env, context))
      }
      const normalized = isCompatibility ? requestWithoutSlash(request, path) : request
      const count = isCompatibility ? memory.countCompatibilityDay : memory.countDateRead
      const repeated = repeatDateAnswer(normalized, env, context, count)
      if (repeated) return repeated

      if (app) return answerByApp(app, normalized, env, context)
      // The app is kept, never its promise: the promise of a cancelled request may never settle,
      // and every later request would wait for it.
      return import('./app.ts').then(({ createApp }) => {
        app ??= createApp(deps, memory, edge.fetch)
        return answerByApp(app, normalized, env, context)
      })
    },
  } satisfies ExportedHandler<EdgeEnv>
  return edge
}

/** What came before logs nothing, and is too hot to be given an id. */
function answerByApp(app: App, request: Request, env: EdgeEnv, context: ExecutionContext) {
  return inRequest(request, () => inUtf8(app.fetch(request, env, context)))
}

/**
 * Sessions and accounts belong to the site. Checked first, because the catalogue would take their
 * paths for currencies.
 */
function isAccountPath(path: string): boolean {
  return path.startsWith('/api/a') && /^\/api\/(account|auth)(\/|$)/.test(path)
}

/** Pages. Of `/datos` the site has only the page. */
function isSitePath(path: string): boolean {
  return !path.startsWith('/api/') && !path.startsWith('/datos/')
}

/** The path of an absolute URL as it was sent, escapes included. Cheaper than parsing the URL. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  if (start === -1) return '/'

  const end = url.indexOf('?', start)
  return end === -1 ? url.slice(start) : url.slice(start, end)
}
