import { parseDateReadLimit } from '../config/config.ts'
import { type Admission, type LimitedRequest, createBurstLimit } from './burst-limit.ts'

/** Requests of a window that one key of the platform's limiter allows, as in wrangler.toml. */
const SHARD = 20

export interface DateReadLimitEnv {
  /** Date reads per client in ten seconds: a whole number. */
  DATE_READ_LIMIT: string
  DATE_READS: RateLimit
}

/**
 * The limit of date reads per client address, for the API, the pages and the tools. Other limits of
 * this kind use another `prefix` and variable.
 */
export function createDateReadLimit(prefix = '', parseLimit = parseDateReadLimit) {
  const admit = createBurstLimit()
  // A configured limit above the platform's spreads over several of its keys.
  const keyOf = (client: string, place: number) =>
    `${prefix}${client}#${Math.floor((place - 1) / SHARD)}`

  return ({ DATE_READ_LIMIT, DATE_READS }: DateReadLimitEnv, request: LimitedRequest): Admission =>
    admit({ limit: parseLimit(DATE_READ_LIMIT), platform: DATE_READS, keyOf }, request)
}
