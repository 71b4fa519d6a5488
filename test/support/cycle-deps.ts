import { Big } from 'big.js'
import { type Instant, MINUTE_MS } from '../../shared/argentine-time.ts'
import { readPublishedBoard } from '../../shared/board/board.ts'
import { findPairByKey } from '../../shared/market/catalog.ts'
import {
  type CycleDeps,
  type CycleEnv,
  type CycleReport,
  runCycle,
} from '../../workers/scraper/cycle.ts'
import { env } from './env.ts'
import { NOON } from './instant.ts'
import { type Market, marketFetch } from './market.ts'

export { NOON }
/** The cycles after noon. */
export const later = (cycles: number) => NOON + cycles * 5 * MINUTE_MS

/** The pair in a test's market. */
export const blue = findPairByKey('usd/blue')!

/** What a cycle needs, with the changes of the test; each cycle has its own token. */
export function cycleDeps(own: Pick<CycleDeps, 'now' | 'fetch'> & Partial<CycleDeps>): CycleDeps {
  return {
    mode: 'live',
    everySeconds: 300,
    tarjetaRate: new Big('0.30'),
    newToken: () => crypto.randomUUID(),
    ...own,
  }
}

/** Runs the cycle of an instant, with a market, a sell of the blue dollar, or a `fetch`. */
export function cycleAt(
  at: Instant,
  market: number | Market | typeof fetch,
  bindings: Partial<CycleEnv> = {},
  { scheduledAt = at, ...deps }: Partial<CycleDeps> & { scheduledAt?: Instant } = {},
): Promise<CycleReport> {
  const fetch = typeof market === 'function' ? market : marketFetch(market)
  return runCycle(
    { ...env, ...bindings },
    cycleDeps({ now: () => at, fetch, ...deps }),
    scheduledAt,
  )
}

export const shownBoard = () => readPublishedBoard(env.BOARD)
export const shownBlue = async () =>
  (await shownBoard())?.quotes.find(({ origin }) => origin === 'BLUE')
