import { setting } from '../config/config.ts'
import { type Admission, type LimitedRequest, createBurstLimit } from './burst-limit.ts'

/** Requests of a window on one key of the platform's limiter, which allows twice as many. */
const SHARD = 20

export interface DateReadLimitEnv {
  DATE_READ_LIMIT: string
  MCP_REQUEST_LIMIT?: string
  DATE_READS: RateLimit
}

/**
 * The limit of date reads per client address, for the API, the pages and the tools. Other limits of
 * this kind use another `prefix` and variable.
 */
export function createDateReadLimit(
  prefix = '',
  variable: 'DATE_READ_LIMIT' | 'MCP_REQUEST_LIMIT' = 'DATE_READ_LIMIT',
) {
  const admit = createBurstLimit()
  // A configured limit above the platform's spreads over several of its keys.
  const keyOf = (client: string, place: number) =>
    `${prefix}${client}#${Math.floor((place - 1) / SHARD)}`

  return (env: DateReadLimitEnv, request: LimitedRequest): Admission =>
    admit({ limit: setting(env, variable), platform: env.DATE_READS, keyOf }, request)
}
