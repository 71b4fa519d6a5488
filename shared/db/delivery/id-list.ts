/**
 * Row ids as an SQL list. In the text and not as parameters or `json_each`: SQLite then reads one
 * row for each and updates in one pass, where a table of ids makes it three or four.
 */
export function idList(ids: readonly number[]): string {
  return `(${checked(ids).join(', ')})`
}

/** The same as a query that gives one row for each; for one id at least. */
export function idRows(ids: readonly number[]): string {
  return `values (${checked(ids).join('), (')})`
}

function checked(ids: readonly number[]): readonly number[] {
  if (!ids.every(Number.isSafeInteger)) throw new TypeError('row ids are whole numbers')
  return ids
}
