import {
  ARCHIVE_BUILD,
  ARCHIVE_CHECK,
  ATTEMPT,
  CHANGE,
  CURRENT_READ,
  CYCLE,
  DATE_READ,
  DELIVERY_ROW,
  FAILED_MORE,
  PAGE,
  PRIVATE_READ,
  RETRIES,
  STREAM_RECONNECT,
  SWEEP,
  type Usage,
} from './operations.ts'
import { type Item, PLAN, type Price, PRICES } from './prices.ts'

export const DAYS = 30
export const ITEMS = Object.keys(PRICES) as Item[]

/** Of a hundred public reads. Assumed. */
export const MIX = { current: 0.9, date: 0.05, page: 0.05 }

/** Isolates of the edge that are awake at once, worldwide. Assumed, and on the high side. */
export const ISOLATES = 100

/** Changes of pairs a day: 16,000 a year were measured hourly (docs/storage.md), five times that. */
export const CHANGES_A_DAY = 220

export interface Load {
  reads: number
  deliveries: number
  /** Accepted requests with a key. */
  privateReads: number
  streams: number
}

export const NO_LOAD: Load = { reads: 0, deliveries: 0, privateReads: 0, streams: 0 }

export function usageOf(load: Load): Record<Item, number> {
  return total([...ownWork(DAYS), ...workFor(load, DAYS)])
}

/** What runs without any request: cycles, sweeps, changes, the charts of closed days, nightly files. */
export function ownWork(days: number): [count: number, of: Usage][] {
  return [
    [288 * days, CYCLE],
    [1440 * days, SWEEP],
    [CHANGES_A_DAY * days, CHANGE],
    // A pair's closes, and with them the last ones of all pairs.
    [19 * days, { kvWrites: 2 }],
    [144 * days, ARCHIVE_CHECK],
    [days, ARCHIVE_BUILD],
  ]
}

function workFor(
  { reads, deliveries, privateReads, streams }: Load,
  days: number,
): [number, Usage][] {
  const current = reads * MIX.current
  const kvReads = Math.min(current, ISOLATES * 2 * 1440 * days)
  const objectIsAwake = streams > 0 ? 0.128 * 86_400 * days : 0
  return [
    [current, CURRENT_READ],
    [kvReads, { kvReads: 1 }],
    [reads * MIX.date, DATE_READ],
    [reads * MIX.page, PAGE],
    [privateReads, PRIVATE_READ],
    [deliveries, DELIVERY_ROW],
    [deliveries * (1 + RETRIES), ATTEMPT],
    [deliveries * RETRIES, FAILED_MORE],
    [streams * 96 * days, STREAM_RECONNECT],
    [objectIsAwake, { objectGbSeconds: 1 }],
  ]
}

/** US dollars for each thing that is counted, beyond what the paid plan includes. */
export function billOf(usage: Record<Item, number>): Record<Item, number> {
  return each((item) => {
    const { included, each }: Price = PRICES[item]
    return Math.max(0, usage[item] - included) * each
  })
}

export function priceOf(load: Load): number {
  return PLAN + Object.values(billOf(usageOf(load))).reduce((sum, price) => sum + price, 0)
}

/** How many a day the free plan allows beside our own work, by each of its limits. */
export function freePlan(of: Usage): { item: Item; aDay: number }[] {
  const own = total(ownWork(1))
  return ITEMS.flatMap((item) => {
    const { freeDaily }: Price = PRICES[item]
    const used = of[item] ?? 0
    if (freeDaily === null || used === 0) return []
    return { item, aDay: Math.max(0, Math.floor((freeDaily - own[item]) / used)) }
  }).toSorted((a, b) => a.aDay - b.aDay)
}

/** A public read as the mix has it, with KV asked each time, as a quiet service does. */
export function aRead(): Usage {
  return total([
    [MIX.current, { ...CURRENT_READ, kvReads: 1 }],
    [MIX.date, DATE_READ],
    [MIX.page, PAGE],
  ])
}

export function aDelivery(): Usage {
  return total([
    [1, DELIVERY_ROW],
    [1 + RETRIES, ATTEMPT],
    [RETRIES, FAILED_MORE],
  ])
}

export function total(work: readonly (readonly [number, Usage])[]): Record<Item, number> {
  return each((item) => work.reduce((sum, [count, of]) => sum + count * (of[item] ?? 0), 0))
}

function each(value: (item: Item) => number): Record<Item, number> {
  return Object.fromEntries(ITEMS.map((item) => [item, value(item)])) as Record<Item, number>
}
