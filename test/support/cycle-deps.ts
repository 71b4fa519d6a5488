import { Big } from 'big.js'
import { MINUTE_MS } from '../../shared/argentine-time.ts'
import { findPairByKey } from '../../shared/market/catalog.ts'
import type { CycleDeps } from '../../workers/scraper/cycle.ts'
import { art } from './instant.ts'

/** A Monday inside everybody's hours, and the cycles after it. */
export const NOON = art('2026-03-02 12:00')
export const later = (cycles: number) => NOON + cycles * 5 * MINUTE_MS

/** The pair that a test's market has. */
export const blue = findPairByKey('usd/blue')!

/** What a cycle needs, changed only where a test speaks of it; each has a token of its own. */
export function cycleDeps(
  own: Pick<CycleDeps, 'now' | 'fetch'> & Partial<Pick<CycleDeps, 'mode' | 'everySource'>>,
): CycleDeps {
  return {
    mode: 'live',
    everySource: false,
    everySeconds: 300,
    tarjetaRate: new Big('0.30'),
    newToken: () => crypto.randomUUID(),
    ...own,
  }
}
