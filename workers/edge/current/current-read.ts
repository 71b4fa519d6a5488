import { CURRENCIES, PAIRS } from '../../../shared/market/catalog.ts'

/** A current read of the catalogue, of the legacy API (generation 1) or of v2. */
export type CurrentRead = {
  /** In lower case. */
  readonly path: string
  readonly generation: 1 | 2
} & (
  | { readonly kind: 'list'; readonly currency: string | null }
  | { readonly kind: 'pair'; readonly currency: string; readonly origin: string }
)

const GENERATIONS = [1, 2] as const

/**
 * Every current read by its path. This table is the catalogue gate: what is not in it touches
 * neither KV nor D1.
 */
const READS: ReadonlyMap<string, CurrentRead> = new Map(
  [
    { path: '/api/v2/quotes', generation: 2, kind: 'list', currency: null } as const,
    ...GENERATIONS.flatMap((generation): CurrentRead[] => [
      ...CURRENCIES.map((currency) => {
        const path = pathOf(generation, currency)
        return { path, generation, kind: 'list', currency } as const
      }),
      ...PAIRS.map(({ currency, origin }) => {
        const path = pathOf(generation, currency, origin)
        return { path, generation, kind: 'pair', currency, origin } as const
      }),
    ]),
  ].map((read) => [read.path, read]),
)

/** The path of every current read, in lower case. */
export const CURRENT_PATHS: Iterable<string> = [...READS.keys()]

/** The longest path worth folding to lower case. */
const MAX_LENGTH = 64

/** The read of a path in any letter case, or undefined. */
export function findCurrentRead(path: string): CurrentRead | undefined {
  const read = READS.get(path)
  if (read || path.length > MAX_LENGTH) return read

  // ASCII only: `toLowerCase` would turn the Kelvin sign into `k`.
  return READS.get(path.replace(/[A-Z]/g, (letter) => letter.toLowerCase()))
}

/** Path segments that begin other routes and are never a currency. */
const RESERVED = new Set(
  'date auth webhooks history account mcp v2 alerts convert invoicing series'.split(' '),
)

/**
 * Whether a path has the shape of a current pair: `/api/v2/{currency}/{origin}` or
 * `/api/{currency}/{origin}`. Outside the catalogue it meets the gate's 404 (decisions 6, 57: paths
 * outside the catalogue).
 */
export function looksLikePair(path: string): boolean {
  if (!path.startsWith('/api/')) return false

  const segments = path.split('/', 6).slice(2)
  if (segments[0]?.toLowerCase() === 'v2' && segments.length > 2) segments.shift()

  return (
    segments.length === 2 &&
    segments.every((segment) => segment !== '') &&
    !RESERVED.has(segments[0]!.toLowerCase())
  )
}

function pathOf(generation: 1 | 2, ...segments: string[]): string {
  return [generation === 2 ? '/api/v2' : '/api', ...segments].join('/').toLowerCase()
}
