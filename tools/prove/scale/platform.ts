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
