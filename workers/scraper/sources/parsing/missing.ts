import type { PairKey } from '../../../../shared/market/catalog.ts'
import type { Reading } from '../source.ts'

/** The pairs that a list always quotes and that are not among the quoted ones now. */
export function missingOf(usual: readonly PairKey[], quoted: readonly PairKey[]): Reading[] {
  return usual
    .filter((pair) => !quoted.includes(pair))
    .map((pair) => ({ kind: 'missing', row: pair }))
}
