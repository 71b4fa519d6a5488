/**
 * What follows where. A connection may be kept at the place of an attempt, so what goes to the same
 * host comes first.
 */
interface ToHost {
  readonly host: string
}

/** First one for each of these places, in their own order; then the others. */
export function sameHostFirst<Item extends ToHost>(
  rows: readonly Item[],
  places: readonly string[],
): Item[] {
  const { matched, others } = match(rows, places)
  return [...rows.filter((row) => matched.has(row)), ...others]
}

/**
 * One row behind each place, to its own host. Where that has none left, another that may be claimed
 * ahead; where it has one that may not, none: another would take its connection's place.
 */
export function rowsBehind<Item extends ToHost>(
  places: readonly string[],
  rows: readonly Item[],
  mayPrefetch: (row: Item) => boolean,
): Item[] {
  const { matched, others } = match(rows, places)
  const free = places.length - matched.size
  return [...[...matched].filter(mayPrefetch), ...others.filter(mayPrefetch).slice(0, free)]
}

/** The places behind which nothing waits yet. */
export function openPlaces(places: readonly string[], waiting: readonly string[]): string[] {
  const left = [...waiting]
  return places.filter((place) => {
    const index = left.indexOf(place)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
}

function match<Item extends ToHost>(rows: readonly Item[], places: readonly string[]) {
  const open = [...places]
  const matched = new Set<Item>()
  for (const row of rows) {
    const place = open.indexOf(row.host)
    if (place < 0) continue
    open.splice(place, 1)
    matched.add(row)
  }
  return { matched, others: rows.filter((row) => !matched.has(row)) }
}
