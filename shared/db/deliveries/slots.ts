/**
 * Most rows that one statement of the engine claims or settles: the five that one invocation sends
 * at once, and as many that follow them.
 */
export const SLOTS = 10

/**
 * SQL of the items of a parameter, a JSON array of at most `SLOTS`. So few texts are parsed once
 * each, and SQLite reads one row for each item, where a table of them makes it three or four.
 */
export function itemsOf(parameter: string, { length }: { readonly length: number }): string {
  if (length > SLOTS) throw new RangeError(`more than ${SLOTS} rows at once`)
  return `(${Array.from({ length }, (_, slot) => `${parameter} ->> ${slot}`).join(', ')})`
}
