import type { Level } from '../observe/levels.ts'

/**
 * The one rule that nothing overrides: zeros, negatives and broken numbers are no quote at all.
 * They are not even held (a table could not keep them): the source counts as failed.
 */
export function isPositiveAndFinite({ buy, sell }: Level): boolean {
  return [buy, sell].every((price) => Number.isSafeInteger(price) && price > 0)
}
