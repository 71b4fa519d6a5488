/**
 * Binary search for the first of `count` indices at which `holds` returns true. It must also return
 * true at all later indices. Returns `count` when `holds` is true at none.
 */
export function firstIndex(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
