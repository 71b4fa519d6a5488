/** A past for a service that has none: daily values of every quoted pair up to yesterday. */
import { writeFileSync } from 'node:fs'
import { vi } from 'vitest'
import { addDays, argentineDay, type Day } from '../../shared/argentine-time.ts'
import { isBankDay } from '../../shared/market/holidays.ts'
import { openScratch } from '../../tools/support/scratch.ts'
import { admin, type Service } from '../../tools/prove/harness/service.ts'

interface Quote {
  currency: string
  origin: string
  buy: number
  sell: number
}

export interface Past {
  days: number
  /** Days ago between which a pair has no data, as after an outage. */
  holes?: Record<string, [from: number, to: number]>
}

/** Imports it as an operator would, and runs a cycle, after which it is drawn. */
export async function seedPast(service: Service, { days, holes = {} }: Past): Promise<void> {
  const quotes = (await (await service.get('/api/v2/quotes')).json()) as Quote[]
  using scratch = openScratch()
  const file = scratch.file('past.csv')
  const lines = quotes.flatMap((quote) => linesOf(quote, days, holes[keyOf(quote)]))
  writeFileSync(file, ['currency,origin,at,buy,sell', ...lines, ''].join('\n'))
  await patiently(['import', file, '--state', service.stateDir])
  // One of the service's own may be running.
  await vi.waitFor(() => service.cycle(), { timeout: 20_000, interval: 300 })
}

const TRIES = 3

/** A command beside a running service may meet its lock where the runtime hides which error it is. */
async function patiently(command: readonly string[]): Promise<void> {
  for (let left = TRIES; ; left--) {
    const { code, output } = await admin(command)
    if (code === 0) return
    if (left === 1 || !/internal error|SQLITE_BUSY/.test(output)) throw new Error(output)
  }
}

function linesOf(quote: Quote, days: number, hole: [number, number] | undefined): string[] {
  const today = argentineDay(Date.now())
  const lines: string[] = []
  for (let back = days; back >= 1; back--) {
    const day: Day = addDays(today, -back)
    if (!isBankDay(day) || (hole && back <= hole[0] && back >= hole[1])) continue
    const factor = factorOf(quote, back)
    const [buy, sell] = [quote.buy, quote.sell].map((value) => (value * factor).toFixed(4))
    lines.push(`${quote.currency},${quote.origin},${day}T16:00:00-03:00,${buy},${sell}`)
  }
  return lines
}

/** A slow rise with waves of the pair's own, 1 today. */
function factorOf(quote: Quote, back: number): number {
  const phase = keyOf(quote).length + quote.sell
  const wave = (period: number, size: number) =>
    size * (Math.sin((back + phase) / period) - Math.sin(phase / period))
  return Math.max(0.05, 1 - back * 0.0006 + wave(7.3, 0.006) + wave(31, 0.02) + wave(97, 0.04))
}

function keyOf({ currency, origin }: Quote): string {
  return `${currency}/${origin}`.toLowerCase()
}
