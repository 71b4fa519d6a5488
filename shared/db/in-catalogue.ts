import { PAIRS } from '../market/catalog.ts'

const IDS = PAIRS.map(({ id }) => id).join(', ')

/**
 * Whether a column holds a pair that the catalogue has. What is stored of one that left it is its
 * owner's no more. The plus keeps SQLite from choosing an index on the pair.
 */
export function inCatalogue(column: string): string {
  return `+${column} in (${IDS})`
}
