/**
 * Cloudflare's prices and free amounts in US dollars, from its pages of 2026-11-21. The logs'
 * prices change on 2026-12-01.
 */

export interface Price {
  what: string
  /** Of a month on the paid plan, without further charge. */
  included: number
  each: number
  /** A day on the free plan; null where it is not counted by the day. */
  freeDaily: number | null
}

const MILLION = 1_000_000

const price = (what: string, included: number, each: number, freeDaily: number | null): Price => ({
  what,
  included,
  each,
  freeDaily,
})

export const PRICES = {
  requests: price('Workers requests', 10 * MILLION, 0.3 / MILLION, 100_000),
  cpuMs: price('CPU ms', 30 * MILLION, 0.02 / MILLION, null),
  kvReads: price('KV reads', 10 * MILLION, 0.5 / MILLION, 100_000),
  kvWrites: price('KV writes', MILLION, 5 / MILLION, 1_000),
  rowsRead: price('D1 rows read', 25_000 * MILLION, 0.001 / MILLION, 5 * MILLION),
  rowsWritten: price('D1 rows written', 50 * MILLION, 1 / MILLION, 100_000),
  queueOperations: price('queue operations', MILLION, 0.4 / MILLION, 10_000),
  objectRequests: price('Durable Object requests', MILLION, 0.15 / MILLION, 100_000),
  objectGbSeconds: price('Durable Object GB-s', 400_000, 12.5 / MILLION, 13_000),
  logEvents: price('log events kept', 20 * MILLION, 0.6 / MILLION, 200_000),
}

export type Item = keyof typeof PRICES

export const PLAN = 5
