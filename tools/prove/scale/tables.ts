import { table } from '../../support/table.ts'
import { NO_LOAD, priceOf } from '../cost/month.ts'
import { asItIs, sharded } from './design.ts'
import { askedShare, bytesOf, factorOf, LIMITS } from './limits.ts'
import { type Load, play } from './play.ts'

export const SCALE_PAGE = 'docs/scale.md'

/** A hundred times as much as the service is made for. */
export const HUNDREDFOLD: Load = { webhooks: 1_000_000, deliveries: 10_000_000, reads: 1000 }

/** What the command prints and the page shows, by the names of the page's comments. */
export function scaleTables(load: Load) {
  return {
    limits: () => limitsTable(load),
    design: () => designTable(load),
    price: () => priceLine(load),
  }
}

/** The numbers of databases that are compared. */
const DATABASES = [1, 2, 4, 8, 16, 32]

const DAYS_OF_MONTH = 30

/** What gives, the first first. */
function limitsTable(load: Load): string {
  const played = play(load, asItIs())
  const rows = LIMITS.map((limit) => ({ ...limit, factor: factorOf(limit, played) }))
    .toSorted((a, b) => (a.factor ?? Infinity) - (b.factor ?? Infinity))
    .map(({ what, allowed, used, factor }) => [
      what,
      allowed(played),
      share(used(played)),
      factor === null ? '' : count(Number((factor * load.deliveries).toPrecision(2))),
    ])
  return table([['what gives', 'at', 'used', 'deliveries a day'], ...rows])
}

/** The design with more and more databases. */
function designTable(load: Load): string {
  const rows = DATABASES.map((databases) => {
    const played = play(load, sharded(databases))
    const passed = LIMITS.filter(({ used }) => used(played) > 1)
    return [
      `${databases}`,
      `${Math.ceil(played.peaks.lastArrival)} s`,
      `${Math.round(played.peaks.wait)} ms`,
      share(askedShare(played)),
      `${(bytesOf(played, 7) / 1e9).toFixed(1)} GB`,
      passed.length === 0 ? 'nothing' : passed.map(({ allowed }) => allowed(played)).join(', '),
    ]
  })
  const heads = [
    'databases',
    'last arrival',
    'a query waits',
    'thread',
    'each holds',
    'past its limit',
  ]
  return table([heads, ...rows])
}

/** US dollars of a month of such days, as `npm run cost` reckons. */
function priceLine(load: Load): string {
  const { reads, deliveries } = load
  const month = {
    ...NO_LOAD,
    reads: reads * 86_400 * DAYS_OF_MONTH,
    deliveries: deliveries * DAYS_OF_MONTH,
  }
  const dollars = Math.round(priceOf(month))
  return `A month of it: ${count(month.deliveries)} deliveries and ${count(month.reads)} reads, ${count(dollars)} USD by \`npm run cost\`’s prices, storage left out.`
}

function share(used: number): string {
  return `${count(Number((used * 100).toPrecision(3)))} %`
}

function count(amount: number): string {
  return Math.round(amount).toLocaleString('en')
}
