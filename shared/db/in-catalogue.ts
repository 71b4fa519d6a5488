import { PAIRS } from '../market/catalog.ts'

const IDS = PAIRS.map(({ id }) => id).join(', ')

/** Whether a column holds a pair of the catalogue: rows of pairs that left it are not shown. */
export function inCatalogue(column: string): string {
  return `${column} in (${IDS})`
}
