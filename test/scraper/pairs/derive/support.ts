import { Big } from 'big.js'
import type { DeriveContext, Derivation } from '../../../../workers/scraper/pairs/derivation.ts'
import type { Reading } from '../../../../workers/scraper/sources/source.ts'
import { art } from '../../../support/instant.ts'

export const now = art('2026-03-04 15:55')

function context(changed: Partial<DeriveContext> = {}): DeriveContext {
  return { now, tarjetaRate: new Big('0.30'), current: new Map(), ...changed }
}

/** "buy sell" to six decimals, or null. */
export function derived(
  derive: Derivation,
  readings: readonly Reading[],
  changed: Partial<DeriveContext> = {},
): string | null {
  const quote = derive(readings, context(changed))
  return quote && `${quote.buy.round(6)} ${quote.sell.round(6)}`
}
