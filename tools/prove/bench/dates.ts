/**
 * Date reads at two sizes of the points table, side by side in one run. The reads happen inside
 * workerd, in batches, so that only the database is timed.
 */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import type { Miniflare } from 'miniflare'
import { PAIRS } from '../../../shared/market/catalog.ts'
import { type Bench, type BenchOptions, type Figure, figure, median, rounded } from './bench.ts'
import { openScratch } from '../../support/scratch.ts'
import { openMiniflare } from '../../operate/local/miniflare.ts'
import { fillPoints } from './ordinary-database.ts'

const SMALL = 1_000_000
const LARGE = 30_000_000

const ROUNDS = 31
const READS = 40

export const dates: Bench = {
  name: 'dates',
  summary: 'as-of reads at 1 million and at 30 million points (--points N)',
  method:
    `${ROUNDS} rounds of ${READS} reads at random instants, at both sizes in turn, inside workerd, on a fresh ` +
    'D1 of each size; rows are the most of any round, latencies medians over the rounds.',
  run: benchDates,
}

const sizes = { small: SMALL, large: LARGE }
type Size = keyof typeof sizes
type Round = { pairs: number[]; rowsRead: number; milliseconds: number }

async function benchDates(options: BenchOptions): Promise<Figure[]> {
  const counts = { ...sizes, large: options.points ?? LARGE }
  using scratch = openScratch()
  const miniflare = await openBoth(scratch.path)
  try {
    const { small, large } = await miniflare.getBindings<Record<Size, D1Database>>()
    const bytes = {
      small: await fillPoints(small, counts.small, options.progress),
      large: await fillPoints(large, counts.large, options.progress),
    }
    const one = await measure(miniflare, [PAIRS[2]!.id], options)
    const all = await measure(
      miniflare,
      PAIRS.map(({ id }) => id),
      options,
    )

    return [
      ...figuresOf('one pair', 1, one, counts),
      ...figuresOf('all pairs', PAIRS.length, all, counts),
      { name: 'storage', value: rounded(bytes.large / counts.large), unit: 'bytes a point' },
    ]
  } finally {
    await miniflare.dispose()
  }
}

function figuresOf(
  what: string,
  pairs: number,
  rounds: Record<Size, Round[]>,
  counts: Record<Size, number>,
): Figure[] {
  const rows = (size: Size) => Math.max(...rounds[size].map(({ rowsRead }) => rowsRead / READS))
  const time = (size: Size) => median(rounds[size].map((round) => round.milliseconds / READS))
  const named = (size: Size) => `${what}, ${counts[size].toLocaleString('en')} points`

  const ratio = (of: (size: Size) => number) => of('large') / of('small')

  return [
    figure(`${named('small')}: rows read`, rows('small'), undefined, { atMost: 2 * pairs }),
    figure(`${named('large')}: rows read`, rows('large'), undefined, { atMost: 2 * pairs }),
    figure(`${what}: rows, large over small`, ratio(rows), '×', { atMost: 1.1 }),
    figure(`${named('small')}: latency`, rounded(time('small')), 'ms'),
    figure(`${named('large')}: latency`, rounded(time('large')), 'ms'),
    figure(`${what}: latency, large over small`, rounded(ratio(time)), '×', { atMost: 1.3 }),
  ]
}

/** Alternates the sizes, so that other load on the machine disturbs both alike. */
async function measure(miniflare: Miniflare, pairs: number[], { progress }: BenchOptions) {
  const rounds: Record<Size, Round[]> = { small: [], large: [] }
  progress(`reading ${pairs.length} pair(s): ${ROUNDS} rounds of ${READS} at each size`)

  for (let round = 0; round < ROUNDS + 1; round++) {
    for (const size of ['small', 'large'] as const) {
      const query = new URLSearchParams({ size, pairs: pairs.join(), reads: String(READS) })
      const begin = performance.now()
      const response = await miniflare.dispatchFetch(`http://bench.test/?${query}`)
      const { rowsRead } = (await response.json()) as { rowsRead: number }
      // The first round only warms up.
      if (round > 0) rounds[size].push({ pairs, rowsRead, milliseconds: performance.now() - begin })
    }
  }
  return rounds
}

/** Both databases under one small Worker that runs the service's own query. */
function openBoth(folder: string): Promise<Miniflare> {
  const modules = {
    'reader.js': READER,
    'points.js': javascriptOf('shared/db/quotes/points.ts'),
  }
  return openMiniflare(folder, modules, {
    small: { type: 'd1', id: 'small' },
    large: { type: 'd1', id: 'large' },
  })
}

function javascriptOf(file: string): string {
  return stripTypeScriptTypes(readFileSync(join(import.meta.dirname, '../../..', file), 'utf8'))
}

const READER = `
  import { quotesAsOf } from './points.js'

  export default {
    async fetch(request, env) {
      const query = new URL(request.url).searchParams
      const pairs = query.get('pairs').split(',').map((id) => ({ id: Number(id) }))
      let rowsRead = 0
      for (let i = 0; i < Number(query.get('reads')); i++) {
        const instant = 1293840000000 + Math.floor(Math.random() * 500000000000)
        rowsRead += (await quotesAsOf(env[query.get('size')], pairs, instant)).rowsRead
      }
      return Response.json({ rowsRead })
    },
  }`
