/**
 * What one of each thing takes of the parts, in milliseconds of a database's one thread and in bytes.
 * Rows and round trips come from tools/prove/cost/operations.ts; what a row takes was measured here.
 */
import { MAX_CONNECTIONS } from '../../../shared/db/deliveries/batch.ts'
import { PRUNE_CHUNK } from '../../../workers/delivery/db/prune.ts'
import { CHUNKS } from '../../../workers/delivery/sweep/prune.ts'
import { BACKLOG_ATTEMPT, DELIVERY_MADE, DELIVERY_PRUNED } from '../cost/operations.ts'

/**
 * What Cloudflare publishes of the parts (paid plan), as its pages said on 2026-11-22. Nothing here
 * was measured on Cloudflare.
 */
export const PLATFORM = {
  /** D1, limits: the size of a database. */
  databaseBytes: 10e9,
  /** D1, limits: a `batch()` as a whole. */
  batchSeconds: 30,
  /** D1, FAQ: one query at a time; a write takes "several milliseconds", taken as five. */
  writeMs: 5,
  /** D1, FAQ: an indexed read takes less than this. */
  readMs: 1,
  /** Queues, limits: messages a second of one queue. */
  messagesPerSecond: 5000,
  /** Queues, limits: invocations of one consumer at once. */
  consumers: 250,
  /** Queues, limits: messages of one `sendBatch`. */
  messagesOfBatch: 100,
  /** Durable Objects, FAQ: requests a second of one object, a soft limit. */
  objectRequests: 1000,
  /** Workers, limits: of one invocation. */
  subrequests: 10_000,
  /** Workers, limits: memory of an isolate. */
  isolateBytes: 128e6,
} as const

/**
 * Milliseconds a written row, beside its round trip: 200,000 deliveries inserted by one statement,
 * 24 to 56 microseconds each with their three rows, into a file (three runs of SQLite of Node 24, two
 * busy cores, 2026-11-22). With five rows they took 39 to 107 in the same runs.
 */
export const ROW_MS = 0.017

/** A finished delivery with its indexes, of the same runs. */
export const DELIVERY_BYTES = 520

/** A webhook with its sealed fields and indexes, of an earlier run. */
export const WEBHOOK_BYTES = 680

/** What `enqueue` holds of a row: result, hint, place in a batch, and its part of the answer's text. */
export const HINT_BYTES = 200

/** Hints that one invocation of the consumer takes (wrangler.toml: `max_batch_size`). */
export const HINTS_OF_RUN = 100

/** A call of `sendBatch` by the scraper, which makes one after the other. Assumed. */
export const SEND_MS = 20

/** How long receivers take to answer, their connection included. Assumed. */
export const ANSWER_MS = 250

/** Of the thread: to insert a delivery; to claim and settle one in a backlog; to delete one. */
export const MADE_MS = DELIVERY_MADE.rowsWritten * ROW_MS
export const ATTEMPT_MS =
  BACKLOG_ATTEMPT.roundTrips * PLATFORM.writeMs + BACKLOG_ATTEMPT.rowsWritten * ROW_MS
export const PRUNED_MS = DELIVERY_PRUNED.rowsWritten * ROW_MS + PLATFORM.writeMs / PRUNE_CHUNK

/** Rows that the sweep of a minute deletes. */
export const PRUNED_A_MINUTE = CHUNKS * PRUNE_CHUNK

/** Deliveries a second that so many invocations of a consumer send, whatever the database can do. */
export function sentPerSecond(consumers: number): number {
  return (consumers * MAX_CONNECTIONS * 1000) / ANSWER_MS
}

/** Round trips a second of deliveries that fill the thread of their database. */
export const ROUND_TRIPS_PER_SECOND = (BACKLOG_ATTEMPT.roundTrips * 1000) / ATTEMPT_MS

/** Hints a second that one invocation sends. */
export const HINTS_PER_SECOND = Math.min(
  PLATFORM.messagesPerSecond,
  (PLATFORM.messagesOfBatch * 1000) / SEND_MS,
)

/**
 * Milliseconds that a query waits behind `runs` invocations, which settle and claim whenever their
 * attempts end: for the round trips of all of them but those whose attempts are under way.
 */
export function waitBehindRuns(runs: number): number {
  const roundTripMs = ATTEMPT_MS / BACKLOG_ATTEMPT.roundTrips
  const attemptsMs = ANSWER_MS / BACKLOG_ATTEMPT.roundTrips / MAX_CONNECTIONS
  return Math.max(0, runs * roundTripMs - attemptsMs - roundTripMs)
}
