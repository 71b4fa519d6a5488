import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import { parseCapacity } from '../../../shared/config/config.ts'
import { ATTEMPT_MS, PLATFORM, PRUNED_A_MINUTE, sentPerSecond } from './parts.ts'

/** How the parts are put together. */
export interface Design {
  /** Databases that share the webhooks and their deliveries, each with a queue of its own. */
  databases: number
  /** The most deliveries that one transaction makes; null: all of a cycle. */
  slice: number | null
  /** Whether reads ask another database than the one of deliveries. */
  readsApart: boolean
  /** Rows that a database deletes in a minute; null: as many as are due. */
  prunedAMinute: number | null
  /** Invocations of one queue's consumer at once: `max_concurrency`. */
  consumers: number
  /** The most open deliveries of all databases. */
  capacity: number
}

/**
 * The most databases whose row ids fit below 2^53, each with 17 million million of its own
 * (test/support/shards.ts).
 */
export const MAX_SHARDS = 512

/** Deliveries of one transaction of the sharded design: 85 ms of the thread. */
const SLICE = 1000

/** More of them than fill a database's thread, but not so many that a query waits for them. */
const CONSUMERS = 100

/** `DELIVERY_CAPACITY` for what a database delivers in a cycle (docs/deliveries.md). */
const CAPACITY_SECONDS = 300

/** The service as it is deployed. */
export function asItIs(): Design {
  const { env } = parse(readFileSync('wrangler.toml', 'utf8')) as {
    env?: { delivery?: { vars?: { DELIVERY_CAPACITY?: string } } }
  }
  const capacity = parseCapacity(env?.delivery?.vars?.DELIVERY_CAPACITY)
  return {
    databases: 1,
    slice: null,
    readsApart: false,
    prunedAMinute: PRUNED_A_MINUTE,
    consumers: PLATFORM.consumers,
    capacity,
  }
}

/** The design of docs/scale.md. */
export function sharded(databases: number): Design {
  const rate = Math.min(sentPerSecond(CONSUMERS), 1000 / ATTEMPT_MS)
  return {
    databases,
    slice: SLICE,
    readsApart: true,
    prunedAMinute: null,
    consumers: CONSUMERS,
    capacity: Math.floor(databases * CAPACITY_SECONDS * rate),
  }
}
