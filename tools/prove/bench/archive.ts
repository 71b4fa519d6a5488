/** What the nightly files cost, and what a read of them does, with fifteen years of every pair. */
import { addDays, argentineDay, DAY_MS, dayStart } from '../../../shared/argentine-time.ts'
import { type Manifest, MANIFEST_KEY } from '../../../shared/board/archive.ts'
import { PAIRS } from '../../../shared/market/catalog.ts'
import { runArchive } from '../../../workers/scraper/nightly/archive.ts'
import { openScratchStorage } from '../../operate/admin/open-local.ts'
import { sqliteModule } from '../harness/sqlite-module.ts'
import type { Bench, BenchOptions, Figure } from './bench.ts'
import { figure, rounded } from './bench.ts'
import { costFigures, measured } from './measured.ts'
import { fromNumbers, insertRows } from '../harness/rows.ts'

const YEARS = 15
const DAYS = YEARS * 365
const NIGHT = dayStart('2026-03-03') + DAY_MS / 2

export const archive: Bench = {
  name: 'archive',
  summary: 'building the nightly files, and a run that finds them current',
  method:
    `runArchive over D1 and KV of miniflare, with a change on each day of ${YEARS} years of ${PAIRS.length} pairs; ` +
    "rows are D1's own count, CPU is that of this process",
  run: benchArchive,
}

async function benchArchive({ progress }: BenchOptions): Promise<Figure[]> {
  await using storage = await openScratchStorage()
  progress(`making ${DAYS * PAIRS.length} daily closes`)
  await seedDays(storage.db)
  const { db, spent, forget } = measured(storage.db)
  let writes = 0
  const kv = {
    get: (name: string) => storage.kv.get(name),
    put: async (name: string, value: string | Uint8Array) => {
      writes++
      // Miniflare's stub takes bytes as a buffer.
      await storage.kv.put(name, typeof value === 'string' ? value : value.slice().buffer)
    },
  } as unknown as KVNamespace

  progress('building')
  const before = process.cpuUsage()
  await runArchive({ DB: db, BOARD: kv }, { now: () => NIGHT, loadSqlite: sqliteModule })
  const { user, system } = process.cpuUsage(before)
  const manifest = JSON.parse((await storage.kv.get(MANIFEST_KEY))!) as Manifest
  const largest = Math.max(...manifest.files.map(({ bytes }) => bytes))
  const built = spent()

  forget()
  await runArchive({ DB: db, BOARD: kv }, { now: () => NIGHT, loadSqlite: sqliteModule })
  return [
    ...costFigures('a night', built, {
      roundTrips: 2,
      rowsRead: DAYS * PAIRS.length + 100,
      rowsWritten: 0,
    }),
    { name: 'a night: KV writes', value: writes, atMost: 19 },
    { name: 'a night: CPU', value: rounded((user + system) / 1000), unit: 'ms', atMost: 10_000 },
    figure('largest file (KV takes 25 MiB)', rounded(largest / 2 ** 20), 'MiB', { atMost: 20 }),
    ...costFigures('current already', spent(), {
      roundTrips: 1,
      rowsRead: 1,
      rowsWritten: 0,
    }),
  ]
}

const SELLS = ['open', 'high', 'low', 'close']
const BUYS = ['buy', 'buy_open', 'buy_high', 'buy_low']

async function seedDays(db: D1Database): Promise<void> {
  const first = addDays(argentineDay(NIGHT), -DAYS)
  for (const { id } of PAIRS) {
    await db
      .prepare(
        insertRows(
          'daily_candles',
          {
            pair: '?1',
            day: `date(?2, '+' || (i - 1) || ' days')`,
            ...Object.fromEntries(SELLS.map((column) => [column, '10000000 + i * 731'])),
            ...Object.fromEntries(BUYS.map((column) => [column, '9900000 + i * 731'])),
          },
          fromNumbers('?3'),
        ),
      )
      .bind(id, first, DAYS)
      .run()
  }
}
