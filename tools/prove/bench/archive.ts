/** What the nightly files cost, and what a read of them does, with fifteen years of every pair. */
import { addDays, argentineDay, DAY_MS, dayStart } from '../../../shared/argentine-time.ts'
import { type Manifest, MANIFEST_KEY } from '../../../shared/board/archive.ts'
import { PAIRS } from '../../../shared/market/catalog.ts'
import { recordCycleAt } from '../harness/recorded-cycle.ts'
import { runArchive } from '../../../workers/scraper/nightly/archive.ts'
import { openScratchStorage } from '../../operate/admin/open-local.ts'
import type { Bench, BenchOptions, Figure } from './bench.ts'
import { figure, rounded } from './bench.ts'
import { costFigures, measured } from './measured.ts'
import { countedKv } from './counted-kv.ts'
import { seedDays } from './ordinary-database.ts'

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
  await seedDays(storage.db, addDays(argentineDay(NIGHT), -DAYS), DAYS)
  const { db, spent, forget } = measured(storage.db)
  const { kv, counts } = countedKv(storage.kv)
  const build = () => runArchive({ DB: db, BOARD: kv }, { now: () => NIGHT })
  for (const back of [2, 1]) {
    await recordCycleAt(storage.db, NIGHT - back * DAY_MS, 'live')
    await build()
  }
  await recordCycleAt(storage.db, NIGHT, 'live')
  forget()
  Object.assign(counts, { written: 0, removed: 0 })
  progress('building')
  const night = await cpuOf(build)
  const manifest = JSON.parse((await storage.kv.get(MANIFEST_KEY))!) as Manifest
  const largest = Math.max(...manifest.files.map(({ bytes }) => bytes))
  const built = spent()

  forget()
  await build()
  return [
    ...costFigures('a night', built, {
      roundTrips: 4,
      rowsRead: DAYS * PAIRS.length + 20,
      rowsWritten: 10,
    }),
    { name: 'a night: KV writes', value: counts.written, atMost: 18 },
    { name: 'a night: files removed from KV', value: counts.removed, atMost: 17 },
    { name: 'a night: CPU', value: night, unit: 'ms', atMost: 10_000 },
    figure('largest file (KV takes 25 MiB)', rounded(largest / 2 ** 20), 'MiB', { atMost: 20 }),
    ...costFigures('current already', spent(), {
      roundTrips: 1,
      rowsRead: 3,
      rowsWritten: 0,
    }),
  ]
}

async function cpuOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return rounded((user + system) / 1000)
}
