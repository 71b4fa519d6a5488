import { sum } from 'simple-statistics'
import { table } from '../../support/table.ts'
import { NO_LOAD, priceOf } from '../cost/month.ts'
import { CYCLE_SECONDS, playMarket } from './day.ts'
import { asItIs, type Design, sharded } from './design.ts'
import { askedShare, bytesOf, factors, firstPassed, type Limit, LIMITS } from './limits.ts'
import { type Load, play, type Played } from './play.ts'

/** The numbers of databases that are compared. */
const DATABASES = [1, 2, 4, 8, 16, 32]

const DAYS_OF_MONTH = 30

/** The hours of the day in which something changes, and what that makes. */
export function dayTable(load: Load): string {
  const hours = Map.groupBy(
    playMarket(load).map((cycle, index) => ({ ...cycle, index })),
    ({ index }) => Math.floor((index * CYCLE_SECONDS) / 3600),
  )
  const rows = [...hours].map(([hour, cycles]) => {
    const made = cycles.map(({ deliveries }) => deliveries)
    const changes = cycles.flatMap(({ changed }) => changed).length
    return [`${hour}`, `${changes}`, count(sum(made)), count(Math.max(...made))]
  })
  const all = [...hours.values()].flat()
  const total = ['day', `${all.flatMap(({ changed }) => changed).length}`]
  const made = all.map(({ deliveries }) => deliveries)
  return table([
    ['hour', 'changes', 'deliveries', 'largest cycle'],
    ...rows,
    [...total, count(sum(made)), count(Math.max(...made))],
  ])
}

/** What gives, the first first. */
export function limitsTable(load: Load, design: Design = asItIs()): string {
  const played = play(load, design)
  const all = factors(played)
  const rows = LIMITS.map((limit, index) => ({ limit, factor: all[index]! }))
    .toSorted((a, b) => (a.factor ?? Infinity) - (b.factor ?? Infinity))
    .map(({ limit, factor }) => [
      limit.what,
      limit.allowed(played),
      share(limit.used(played.peaks, played)),
      factor === null ? '' : rounded(factor * load.deliveries),
      whenPassed(limit, played),
    ])
  const heads = ['what gives', 'at', 'used', 'deliveries a day', 'when']
  return table([heads, ...rows])
}

/** The design with more and more databases. */
export function designTable(load: Load): string {
  const rows = DATABASES.map((databases) => {
    const played = play(load, sharded(databases))
    const passed = LIMITS.filter(({ used }) => used(played.peaks, played) > 1)
    return [
      `${databases}`,
      `${played.peaks.lastArrival} s`,
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
export function priceLine(load: Load): string {
  const { reads, deliveries } = load
  const month = {
    ...NO_LOAD,
    reads: reads * 86_400 * DAYS_OF_MONTH,
    deliveries: deliveries * DAYS_OF_MONTH,
  }
  const dollars = Math.round(priceOf(month))
  return `A month of it: ${count(month.deliveries)} deliveries and ${count(month.reads)} reads, ${count(dollars)} USD by \`npm run cost\`’s prices, storage left out.`
}

function whenPassed(limit: Limit, played: Played): string {
  const second = firstPassed(limit, played)
  if (second === null) return ''
  const days = limit.daysUntil?.(played)
  if (days !== undefined) return `after ${Number(days.toFixed(1))} days`
  const minutes = Math.floor(second / 60)
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

function rounded(amount: number): string {
  return count(Number(amount.toPrecision(2)))
}

function share(used: number): string {
  return `${count(Number((used * 100).toPrecision(3)))} %`
}

function count(amount: number): string {
  return Math.round(amount).toLocaleString('en')
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
