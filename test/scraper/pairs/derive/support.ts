import { Big } from 'big.js'
import type { Instant } from '../../../../shared/argentine-time.ts'
import type {
  DeriveContext,
  Derivation,
  Documents,
} from '../../../../workers/scraper/pairs/pair-source.ts'
import { sourceNamed } from '../../../../workers/scraper/sources/index.ts'
import { document } from '../../../support/documents.ts'
import { art } from '../../../support/instant.ts'

export const now = art('2026-03-04 15:55')

/** The readings of our own documents, by source. */
export function documents(files: Record<string, string>, at: Instant = now): Documents {
  return new Map(
    Object.entries(files).map(([source, file]) => [
      source,
      sourceNamed(source).parse(document(file), at),
    ]),
  )
}

export function context(changed: Partial<DeriveContext> = {}): DeriveContext {
  return { now, tarjetaRate: new Big('0.30'), current: new Map(), ...changed }
}

/** "buy sell" to six decimals, or null. */
export function derived(
  derive: Derivation,
  from: Documents,
  changed: Partial<DeriveContext> = {},
): string | null {
  const quote = derive(from, context(changed))
  return quote && `${quote.buy.round(6)} ${quote.sell.round(6)}`
}
