/** What the nightly files cost, and what a read of them does, with fifteen years of every pair. */
import { addDays, argentineDay, DAY_MS, dayStart } from '../../../shared/argentine-time.ts'
import { type Manifest, MANIFEST_KEY } from '../../../shared/board/archive.ts'
import { PAIRS } from '../../../shared/market/catalog.ts'
import { runArchive } from '../../../workers/scraper/nightly/archive.ts'
import { openScratchStorage } from '../../operate/admin/open-local.ts'
import { localSecrets } from '../../operate/local/secrets.ts'
import { openScratch } from '../../support/scratch.ts'
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
  using folder = openScratch()
  const { RECORD_SIGNING_KEY } = localSecrets(folder.path)
  const build = (now: number) =>
    runArchive({ DB: db, BOARD: kv, RECORD_SIGNING_KEY }, { now: () => now })

  progress('building for the first time')
  const first = await cpuOf(() => build(NIGHT - 2 * DAY_MS))
  await build(NIGHT - DAY_MS)
  forget()
  Object.assign(counts, { written: 0, removed: 0 })
  progress('building')
  const night = await cpuOf(() => build(NIGHT))
  const manifest = JSON.parse((await storage.kv.get(MANIFEST_KEY))!) as Manifest
  const largest = Math.max(...manifest.files.map(({ bytes }) => bytes))
  const built = spent()

  forget()
  await build(NIGHT)
  return [
    ...costFigures('a night', built, {
      roundTrips: 6,
      rowsRead: DAYS * (PAIRS.length + 1) + 300,
      rowsWritten: 10,
    }),
    { name: 'a night: KV writes', value: counts.written, atMost: 21 },
    { name: 'a night: files removed from KV', value: counts.removed, atMost: 19 },
    { name: 'a night: CPU', value: night, unit: 'ms', atMost: 10_000 },
    figure('the first night, every day of the past: CPU', first, 'ms', { atMost: 20_000 }),
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
