import { table } from '../../support/table.ts'
import { PRIVATE_READ } from './operations.ts'
import {
  aDelivery,
  aRead,
  billOf,
  freePlan,
  ITEMS,
  type Load,
  NO_LOAD,
  ownWork,
  priceOf,
  total,
  usageOf,
} from './month.ts'
import { PRICES } from './prices.ts'

const MILLION = 1_000_000

const MONTHS: readonly (readonly [name: string, load: Load])[] = [
  ['nobody asks', NO_LOAD],
  ['1 million reads', { ...NO_LOAD, reads: MILLION }],
  ['10 million reads', { ...NO_LOAD, reads: 10 * MILLION }],
  ['100 million reads', { ...NO_LOAD, reads: 100 * MILLION }],
  ['1 million deliveries', { ...NO_LOAD, deliveries: MILLION }],
  ['10 million deliveries', { ...NO_LOAD, deliveries: 10 * MILLION }],
  ['private budget used up each day', { ...NO_LOAD, privateReads: 600_000 }],
  ['1,000 streams always open', { ...NO_LOAD, streams: 1000 }],
  [
    '10 million reads, 1 million deliveries',
    { reads: 10 * MILLION, deliveries: MILLION, privateReads: 60_000, streams: 100 },
  ],
  [
    'all of the most',
    { reads: 100 * MILLION, deliveries: 10 * MILLION, privateReads: 600_000, streams: 1000 },
  ],
]

/** A month's price, and what of it is not the plan. */
export function monthsTable(): string {
  const rows = MONTHS.map(([name, load]) => {
    const bill = billOf(usageOf(load))
    const parts = ITEMS.filter((item) => bill[item] >= 0.005)
      .toSorted((a, b) => bill[b] - bill[a])
      .map((item) => `${PRICES[item].what} ${dollars(bill[item])}`)
    return [name, dollars(priceOf(load)), parts.join(', ') || 'all included']
  })
  return table([['a month of', 'USD', 'beyond the plan’s 5.00'], ...rows])
}

/** Where the free plan ends: what our own work takes of each day, and what it leaves room for. */
export function freePlanTable(): string {
  const own = total(ownWork(1))
  const reads = new Map(freePlan(aRead()).map(({ item, aDay }) => [item, aDay]))
  const deliveries = new Map(freePlan(aDelivery()).map(({ item, aDay }) => [item, aDay]))
  const privates = new Map(freePlan(PRIVATE_READ).map(({ item, aDay }) => [item, aDay]))
  const rows = ITEMS.flatMap((item) => {
    const { what, freeDaily } = PRICES[item]
    if (freeDaily === null) return []
    const room = (of: Map<string, number>) => (of.has(item) ? count(of.get(item)!) : '')
    return [
      [what, count(freeDaily), count(own[item]), room(reads), room(deliveries), room(privates)],
    ]
  })
  const head = ['a day', 'free', 'our own work', 'room for reads', 'or deliveries', 'or private']
  return table([head, ...rows])
}

function dollars(amount: number): string {
  return amount.toFixed(2)
}

function count(amount: number): string {
  return Math.round(amount).toLocaleString('en')
}

export const COST_PAGE = 'docs/cost.md'

/** What the page shows; the command prints the others too. */
export const COST_TABLES = { months: monthsTable }
