/**
 * Binary search: the first of `count` indices at which `holds`, which must then hold at all later
 * ones. Returns `count` when it holds at none.
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
