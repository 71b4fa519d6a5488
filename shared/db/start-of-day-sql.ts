/** The Argentine midnight at or before an instant, as SQL (decision 4: instants in UTC). */
export function startOfDaySql(instant: string): string {
  return `(${instant} - (${instant} - 10800000) % 86400000)`
}
