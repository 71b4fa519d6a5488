import { inRequest } from '../../shared/log.ts'
import { createApp } from './app.ts'
import type { Deps, SiteEnv } from './context.ts'
import type { createMcp } from './mcp/mcp.ts'

const MCP_PATH = '/api/mcp'

/**
 * The site's request handler: everything that is not the public API. The app is evaluated when the
 * Worker starts, not at its first request: the sign-in library imports a module of the runtime
 * during its evaluation, and if that import belonged to a cancelled request, every later sign-in
 * would wait for it. The MCP tools are evaluated at their first request, because no page needs
 * them.
 */
export function createSite(deps: Deps) {
  const app = createApp(deps)
  let mcp: ReturnType<typeof createMcp> | undefined

  return {
    fetch(request: Request, env: SiteEnv, context: ExecutionContext): Promise<Response> {
      return inRequest(request, async () => {
        if (new URL(request.url).pathname !== MCP_PATH) return app.fetch(request, env, context)

        const { createMcp } = await import('./mcp/mcp.ts')
        mcp ??= createMcp(deps)
        return mcp.fetch(request, env, context)
      })
    },
  }
}
