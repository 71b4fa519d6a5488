import type { PairKey } from '../../../../shared/market/catalog.ts'
import type { Reading } from '../source.ts'

/** The pairs that a list should quote and does not. */
export function missingOf(usual: readonly PairKey[], quoted: readonly PairKey[]): Reading[] {
  return usual
    .filter((pair) => !quoted.includes(pair))
    .map((pair) => ({ kind: 'missing', row: pair }))
}
