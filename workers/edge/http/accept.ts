/** Reading of `Accept` (RFC 9110, 12.5.1). */

/** Whether the client prefers CSV to JSON. On a tie the answer is JSON, the contract's default. */
export function prefersCsv(accept: string | null | undefined): boolean {
  // Most requests do not mention CSV, and this check is cheap.
  if (!accept || !/csv/i.test(accept)) return false
  return prefers(accept, ['text/csv'], ['application/json', 'application/*'])
}

/**
 * Whether the client prefers JSON to HTML. If it accepts both equally, the answer is HTML (decision
 * 6 about pairs outside the catalogue).
 */
export function prefersJson(accept: string | null | undefined): boolean {
  return prefers(accept, ['application/json', 'application/*'], ['text/html'])
}

/** Whether the client accepts JSON at all. Without the header it accepts everything. */
export function acceptsJson(accept: string | null): boolean {
  const ranges = ['application/json', 'application/*', '*/*']
  return !accept?.trim() || weightOf(parseAccept(accept), ranges) > 0
}

/**
 * Whether the header names one of `wanted` with more weight than any of `others`. The header must
 * name a listed range: a wildcard for all types does not count.
 */
function prefers(
  accept: string | null | undefined,
  wanted: readonly string[],
  others: readonly string[],
): boolean {
  const weights = parseAccept(accept ?? '')
  const weight = weightOf(weights, wanted)
  return weight > 0 && weight > weightOf(weights, others)
}

/**
 * The weight of the first of `ranges` that the header names. Callers list the most specific first.
 */
function weightOf(weights: ReadonlyMap<string, number>, ranges: readonly string[]): number {
  const named = ranges.find((range) => weights.has(range))
  return named === undefined ? 0 : weights.get(named)!
}

/** Weight by media range, in lower case. An invalid weight counts as 0. */
function parseAccept(accept: string): Map<string, number> {
  const weights = new Map<string, number>()

  for (const item of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim())
    if (range === '') continue

    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    const weight =
      q === undefined ? 1 : /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(q) ? Number(q) : 0
    weights.set(range, Math.max(weight, weights.get(range) ?? 0))
  }
  return weights
}
