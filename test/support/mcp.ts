import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import type { Instant } from '../../shared/argentine-time.ts'
import type { McpEnv } from '../../workers/site/mcp/context.ts'
import { createMcp } from '../../workers/site/mcp/mcp.ts'
import { env } from './env.ts'

/** A fresh MCP endpoint, as a new isolate would have it, whose clock the test moves. */
export function openMcpWorker(options: { now: Instant; env?: Partial<McpEnv> }) {
  const clock = { now: options.now }
  const mcp = createMcp({ now: () => clock.now })

  return {
    clock,
    async fetch(path: string, init: RequestInit = {}): Promise<Response> {
      const context = createExecutionContext()
      const request = new Request(`https://cotizaciones.test${path}`, init)
      const response = await mcp.fetch(request, { ...env, ...options.env }, context)
      await waitOnExecutionContext(context)
      return response
    },
  }
}
