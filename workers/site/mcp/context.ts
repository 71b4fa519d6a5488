import type { Instant } from '../../../shared/argentine-time.ts'

/** The bindings of the MCP endpoint, which reads and counts requests per client. */
export type McpEnv = Pick<
  Cloudflare.SiteEnv,
  'DB' | 'BOARD' | 'DATE_READS' | 'DATE_READ_LIMIT' | 'MCP_REQUEST_LIMIT' | 'CLIENT_ADDRESS_HEADER'
>

/** The clock, passed in so that tests can choose it. */
export interface Deps {
  now: () => Instant
}

export interface McpContext {
  Bindings: McpEnv
}
