/**
 * Attempts that one invocation makes at once. A Worker invocation has six connections that wait for
 * a response head. A seventh would queue, and its wait would use up a receiver's ten seconds. One
 * of the six is left for the database and the queue.
 */
export const MAX_CONNECTIONS = 6 - 1

/** Most claims that are prefetched behind each of those attempts. */
export const MAX_BEHIND = 2

/** Most rows that one statement claims or settles: those attempts, and the claims behind them. */
export const MAX_ROWS = (1 + MAX_BEHIND) * MAX_CONNECTIONS

/**
 * SQL of the items of a parameter, a JSON array of at most `MAX_ROWS`. There are few such texts, so
 * each is parsed once. SQLite reads one row for each item; of `json_each` it would read three or four.
 */
export function itemsOf(parameter: string, { length }: { readonly length: number }): string {
  if (length > MAX_ROWS) throw new RangeError(`more than ${MAX_ROWS} rows at once`)
  return `(${Array.from({ length }, (_, index) => `${parameter} ->> ${index}`).join(', ')})`
}
