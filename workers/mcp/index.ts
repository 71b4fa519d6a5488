import type { McpEnv } from './context.ts'
import { createMcp } from './mcp.ts'

export { createMcp } from './mcp.ts'
export type { McpEnv } from './context.ts'

const mcp: ExportedHandler<McpEnv> & ReturnType<typeof createMcp> = createMcp({
  now: () => Date.now(),
})

export default mcp
