/**
 * What Cloudflare asks for and gives away, in US dollars, as its pages said on 2026-11-21. The
 * logs' prices change on 2026-12-01.
 */

export interface Price {
  what: string
  /** Of a month on the paid plan, without further charge. */
  included: number
  /** What one more of the unit costs. */
  each: number
  /** A day on the free plan; null where it is not counted by the day. */
  freeDaily: number | null
}

const MILLION = 1_000_000

export const PRICES = {
  requests: {
    what: 'Workers requests',
    included: 10 * MILLION,
    each: 0.3 / MILLION,
    freeDaily: 100_000,
  },
  cpuMs: { what: 'CPU ms', included: 30 * MILLION, each: 0.02 / MILLION, freeDaily: null },
  kvReads: {
    what: 'KV reads',
    included: 10 * MILLION,
    each: 0.5 / MILLION,
    freeDaily: 100_000,
  },
  kvWrites: { what: 'KV writes', included: MILLION, each: 5 / MILLION, freeDaily: 1_000 },
  rowsRead: {
    what: 'D1 rows read',
    included: 25_000 * MILLION,
    each: 0.001 / MILLION,
    freeDaily: 5 * MILLION,
  },
  rowsWritten: {
    what: 'D1 rows written',
    included: 50 * MILLION,
    each: 1 / MILLION,
    freeDaily: 100_000,
  },
  queueOperations: {
    what: 'queue operations',
    included: MILLION,
    each: 0.4 / MILLION,
    freeDaily: 10_000,
  },
  objectRequests: {
    what: 'Durable Object requests',
    included: MILLION,
    each: 0.15 / MILLION,
    freeDaily: 100_000,
  },
  objectGbSeconds: {
    what: 'Durable Object GB-s',
    included: 400_000,
    each: 12.5 / MILLION,
    freeDaily: 13_000,
  },
  logEvents: {
    what: 'log events kept',
    included: 20 * MILLION,
    each: 0.6 / MILLION,
    freeDaily: 200_000,
  },
} as const satisfies Record<string, Price>

export type Item = keyof typeof PRICES

/** A month of the paid plan before anything is used. */
export const PLAN = 5
