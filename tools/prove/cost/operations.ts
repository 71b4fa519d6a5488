/**
 * What one of each operation uses. Rows are D1's own count, measured by `npm run bench` and
 * test/delivery/cost.test.ts; CPU is measured on our own machine and only approximates
 * Cloudflare's. Assumptions are marked.
 */
import type { Item } from './prices.ts'

export type Usage = Partial<Record<Item, number>>

/** Of `[env.edge.observability]`: the share of reads whose log is kept. */
const EDGE_LOGS = 0.05
/** Of `[env.site.observability]`. */
const SITE_LOGS = 0.2

/**
 * Without KV, which an isolate reads at most once in 30 s. Measured: 22,400 a second on one core,
 * with the HTTP server (`npm run bench -- --only edge`).
 */
export const CURRENT_READ: Usage = { requests: 1, cpuMs: 0.045, logEvents: EDGE_LOGS }

/**
 * One pair: 1 row (`npm run bench -- --only dates`). CPU assumed.
 */
export const DATE_READ: Usage = {
  requests: 1,
  rowsRead: 1,
  cpuMs: 1,
  logEvents: EDGE_LOGS,
}

/** Through the service binding, which is no second request. CPU and KV reads assumed. */
export const PAGE: Usage = { requests: 1, kvReads: 2, cpuMs: 3, logEvents: EDGE_LOGS + SITE_LOGS }

/** The gate and a history of 100 points (`npm run bench -- --only requests`). CPU assumed. */
export const PRIVATE_READ: Usage = {
  requests: 1,
  rowsRead: 5 + 100,
  rowsWritten: 2,
  cpuMs: 2,
  logEvents: EDGE_LOGS,
}

/**
 * 7.7 rows read a pair and 5 written without a change (`npm run bench -- --only cycle`), the board
 * and the recent chart. CPU: 1.17 s of workerd for 20 cycles that asked all 43 sources, on
 * 2026-11-21; live cycles ask fewer.
 */
export const CYCLE: Usage = {
  requests: 1,
  cpuMs: 59,
  rowsRead: 147,
  rowsWritten: 5,
  kvWrites: 2,
  objectRequests: 1,
  logEvents: 4,
}

/** A changed pair, beyond the cycle: its point and candle, about (assumed). */
export const CHANGE: Usage = { rowsRead: 6, rowsWritten: 4 }

/** With nothing to do: 7 rows. CPU assumed. */
export const SWEEP: Usage = { requests: 1, cpuMs: 1, rowsRead: 7, logEvents: 1 }

/** The row that a change makes for a webhook, a hundredth of 100 (test/scraper/db/outbox.test.ts). */
export const DELIVERY_MADE = { rowsRead: 4.09, rowsWritten: 3.02 }

/** Its deletion after seven days, a five-hundredth of a chunk (`npm run bench -- --only life`). */
export const DELIVERY_PRUNED = { rowsRead: 8, rowsWritten: 1.01 }

export const DELIVERY_ROW: Usage = {
  rowsRead: DELIVERY_MADE.rowsRead + DELIVERY_PRUNED.rowsRead,
  rowsWritten: DELIVERY_MADE.rowsWritten + DELIVERY_PRUNED.rowsWritten,
}

/**
 * One attempt, its message and its invocation, as if each came alone. Rows: delivered 14 to 18 read and 3
 * written (test/delivery/cost.test.ts). CPU: 1.4 to 2 ms of one thread, D1's part in it. A message is written, read, deleted.
 */
export const ATTEMPT: Usage = {
  requests: 1,
  cpuMs: 2,
  rowsRead: 18,
  rowsWritten: 3,
  queueOperations: 3,
  logEvents: 2,
}

/**
 * The same in a backlog, where attempts share round trips: 0.12 measured (`npm run bench -- --only
 * delivery`), 2.2 rows written (test/delivery/cost.test.ts).
 */
export const BACKLOG_ATTEMPT = { roundTrips: 0.12, rowsWritten: 2.2 }

/** What a failed attempt costs beyond a delivered one. */
export const FAILED_MORE: Usage = { rowsRead: 7, rowsWritten: 3 }

/** Attempts that fail and are made again, for each delivery. Assumed. */
export const RETRIES = 0.05

/** A run of the archive that finds its files current: 3 rows (`npm run bench -- --only archive`). */
export const ARCHIVE_CHECK: Usage = {
  requests: 1,
  cpuMs: 1,
  rowsRead: 3,
  kvReads: 1,
  logEvents: 1,
}

/**
 * The nightly files of fifteen years of all pairs: 104,000 closes, the sums of 5,500 days, 19 files,
 * the signed manifest, and what names it; the files of two nights before go, and a list finds them
 * (`npm run bench -- --only archive`). KV counts a removal and a list as a write. CPU is of a machine
 * of ours.
 */
export const ARCHIVE_BUILD: Usage = {
  rowsRead: 109_629,
  rowsWritten: 4,
  kvWrites: 41,
  cpuMs: 2_900,
}

/** An open stream comes again every 15 minutes. */
export const STREAM_RECONNECT: Usage = { requests: 1, objectRequests: 1, cpuMs: 2 }
