import { inCatalogue } from './in-catalogue.ts'

/**
 * Whose a row of `webhooks` or `deliveries` is. An alert's receiver is a row of `webhooks` too, so
 * that one engine delivers to both. Its rows hold the pair's id negated: what looks for webhooks by
 * pair, in older code as well, takes them for rows of a pair that left the catalogue.
 */
export type Kind = 'webhook' | 'alert'

/** Whether a column holds a pair of the catalogue, in the form of a kind. */
export function isOfKind(kind: Kind, column: string): string {
  return inCatalogue(kind === 'webhook' ? column : `(-${column})`)
}

/** The same of any pair, also of one that left the catalogue. */
export function isRowOf(kind: Kind, column: string): string {
  return kind === 'webhook' ? `+${column} > 0` : `+${column} < 0`
}

/** The form in which an alert's rows hold a pair. */
export function pairOfAlert(pairId: number): number {
  return -pairId
}

/** Whose a row is. */
export function kindOf(stored: number): Kind {
  return stored < 0 ? 'alert' : 'webhook'
}

/** The pair that a row of either kind is about. */
export function pairIdOf(stored: number): number {
  return Math.abs(stored)
}
