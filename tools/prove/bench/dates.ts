/** Date reads at two sizes of the points table, side by side in one run. */
import { type Pair, PAIRS } from '../../../shared/market/catalog.ts'
import { quotesAsOf } from '../../../shared/db/quotes/points.ts'
import { openScratchStorage } from '../../operate/admin/open-local.ts'
import { type Bench, type BenchOptions, type Figure, figure, median, rounded } from './bench.ts'
import { fillPoints, randomInstant } from './ordinary-database.ts'

const SMALL = 1_000_000
const LARGE = 30_000_000

const ROUNDS = 31
const READS = 40

export const dates: Bench = {
  name: 'dates',
  summary: 'as-of reads at 1 million and at 30 million points (--points N)',
  method:
    `${ROUNDS} rounds of ${READS} reads at random instants, in one batch, at both sizes in turn, on a fresh ` +
    'D1 of each size; rows are the most of any round, latencies medians over the rounds.',
  run: benchDates,
}

const SIZES = ['small', 'large'] as const
type Size = (typeof SIZES)[number]
type Databases = Record<Size, { db: D1Database; points: number }>
interface Round {
  rowsRead: number
  milliseconds: number
}

async function benchDates(options: BenchOptions): Promise<Figure[]> {
  await using small = await openScratchStorage()
  await using large = await openScratchStorage()
  const databases = {
    small: { db: small.db, points: SMALL },
    large: { db: large.db, points: options.points ?? LARGE },
  }
  await fillPoints(small.db, SMALL, options.progress)
  const bytes = await fillPoints(large.db, databases.large.points, options.progress)
  const one = await measure(databases, PAIRS.slice(2, 3), options)
  const all = await measure(databases, PAIRS, options)

  return [
    ...figuresOf('one pair', 1, one, databases),
    ...figuresOf('all pairs', PAIRS.length, all, databases),
    figure('storage', rounded(bytes / databases.large.points), 'bytes a point'),
  ]
}

function figuresOf(
  what: string,
  pairs: number,
  rounds: Record<Size, Round[]>,
  databases: Databases,
): Figure[] {
  const rows = (size: Size) => Math.max(...rounds[size].map(({ rowsRead }) => rowsRead / READS))
  const time = (size: Size) => median(rounds[size].map((round) => round.milliseconds / READS))
  const named = (size: Size) => `${what}, ${databases[size].points.toLocaleString('en')} points`
  const ratio = (of: (size: Size) => number) => of('large') / of('small')

  return [
    ...SIZES.map((size) =>
      figure(`${named(size)}: rows read`, rows(size), undefined, { atMost: 2 * pairs }),
    ),
    figure(`${what}: rows, large over small`, ratio(rows), '×', { atMost: 1.1 }),
    ...SIZES.map((size) => figure(`${named(size)}: latency`, rounded(time(size)), 'ms')),
    figure(`${what}: latency, large over small`, rounded(ratio(time)), '×', { atMost: 1.3 }),
  ]
}

/** Alternates the sizes, so that other load on the machine disturbs both alike. */
async function measure(databases: Databases, pairs: readonly Pair[], { progress }: BenchOptions) {
  const rounds: Record<Size, Round[]> = { small: [], large: [] }
  progress(`reading ${pairs.length} pair(s): ${ROUNDS} rounds of ${READS} at each size`)

  for (let round = 0; round < ROUNDS + 1; round++) {
    for (const size of SIZES) {
      const { db } = databases[size]
      const reads = await Promise.all(Array.from({ length: READS }, () => readOf(db, pairs)))
      const begin = performance.now()
      const results = await db.batch(reads)
      const milliseconds = performance.now() - begin
      const rowsRead = results.reduce((sum, { meta }) => sum + meta.rows_read, 0)
      // The first round only warms up.
      if (round > 0) rounds[size].push({ rowsRead, milliseconds })
    }
  }
  return rounds
}

/** The statement of a read, which is not run: many in one batch time the database alone. */
function readOf(db: D1Database, pairs: readonly Pair[]): Promise<D1PreparedStatement> {
  return new Promise((resolve) => {
    const bind = (sql: string, values: unknown[]) => ({
      all: () => {
        resolve(db.prepare(sql).bind(...values))
        return new Promise(() => {})
      },
    })
    const noting = {
      prepare: (sql: string) => ({ bind: (...values: unknown[]) => bind(sql, values) }),
    } as unknown as D1Database
    void quotesAsOf(noting, pairs, randomInstant())
  })
}
