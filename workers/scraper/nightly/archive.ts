/** Builds the nightly files when they are due: the day turned, or history was changed. */
import {
  addDays,
  argentineDay,
  DAY_MS,
  dayStart,
  type Instant,
  MINUTE_MS,
} from '../../../shared/argentine-time.ts'
import {
  ARCHIVE_SCHEMA,
  type ArchivedFile,
  dayOfNumber,
  type Manifest,
  MANIFEST_KEY,
  otherSlot,
  readManifest,
  type Slot,
} from '../../../shared/board/archive.ts'
import { isSettled } from '../../../shared/board/closed-day.ts'
import { readPublishedBoard } from '../../../shared/board/read-board.ts'
import { readCloses } from '../db/archive.ts'
import { historyRevision } from '../../../shared/db/quotes/history-revision.ts'
import { countRows, type DailyCloses, dailyCloses } from './daily-closes.ts'
import { toCsvFile } from './formats/csv.ts'
import { toJsonLines } from './formats/json-lines.ts'
import { toParquet } from './formats/parquet.ts'
import { peerFiles } from './formats/peers.ts'
import { toSqlFile } from './formats/sql.ts'
import { sqliteModule } from './formats/sqlite-module.ts'
import { publishFile } from './publish.ts'

export interface ArchiveEnv {
  DB: D1Database
  BOARD: KVNamespace
}

export type ArchiveReport =
  /** The files show all that is closed. */
  | { outcome: 'current' }
  /** Too soon after midnight, or after the last build. */
  | { outcome: 'waiting' }
  /** Nothing was ever quoted. */
  | { outcome: 'empty' }
  | { outcome: 'built'; day: string; rows: number; bytes: number }

/** An import changes history in many steps: the files are not made at each of them. */
const REBUILD_MS = 10 * MINUTE_MS

interface ArchiveDeps {
  now: () => Instant
  /** Where there is no bundler, it is loaded otherwise. */
  loadSqlite?: () => Promise<WebAssembly.Module>
}

/** Safe to run twice or at once: both write the same. What failed is done by the next run. */
export async function runArchive(
  { DB, BOARD }: ArchiveEnv,
  { now, loadSqlite = sqliteModule }: ArchiveDeps,
): Promise<ArchiveReport> {
  const at = now()
  const today = argentineDay(at)
  const day = addDays(today, -1)
  if (!isSettled(day, at)) return { outcome: 'waiting' }

  const [manifest, revision] = await Promise.all([readManifest(BOARD), historyRevision(DB)])
  if (manifest?.day === day) {
    if (manifest.revision === revision) return { outcome: 'current' }
    const isRecent = Math.abs(at - manifest.builtAt) < REBUILD_MS
    if (isRecent && manifest.files.length > 0) return { outcome: 'waiting' }
  }

  const [closes, board] = await Promise.all([readCloses(DB, today), readPublishedBoard(BOARD)])
  if (closes.length === 0 && !board) return { outcome: 'empty' }

  const daily =
    closes.length > 0
      ? dailyCloses(closes, (dayStart(day) - dayStart('1970-01-01')) / DAY_MS)
      : null
  const slot = otherSlot(manifest)
  const files = daily ? await publishAll(BOARD, slot, daily, loadSqlite) : []
  const made: Manifest = {
    schema: ARCHIVE_SCHEMA,
    slot,
    day,
    firstDay: daily ? dayOfNumber(daily.first) : day,
    builtAt: at,
    mode: board?.mode ?? 'live',
    revision,
    files,
  }
  await BOARD.put(MANIFEST_KEY, JSON.stringify(made))
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return { outcome: 'built', day, rows: daily ? countRows(daily) : 0, bytes }
}

type Contents = string | Uint8Array

/** One after the other, so that only one is in memory. */
async function publishAll(
  kv: KVNamespace,
  slot: Slot,
  daily: DailyCloses,
  loadSqlite: () => Promise<WebAssembly.Module>,
): Promise<ArchivedFile[]> {
  const rows = countRows(daily)
  const formats: [string, (daily: DailyCloses) => Contents | Promise<Contents>][] = [
    ['cotizaciones.csv', toCsvFile],
    ['cotizaciones.jsonl', toJsonLines],
    ['cotizaciones.parquet', toParquet],
    ['cotizaciones.sqlite', toSqliteFile],
    ['cotizaciones.sql', toSqlFile],
  ]
  // Its library is loaded here and nowhere else.
  const { toSqlite } = await import('./formats/sqlite.ts')
  async function toSqliteFile(): Promise<Uint8Array> {
    return toSqlite(daily, await loadSqlite())
  }

  const files: ArchivedFile[] = []
  for (const [name, print] of formats) {
    files.push(await publishFile(kv, slot, { name, rows, contents: await print(daily) }))
  }
  for (const make of peerFiles(daily)) {
    const { name, rows, separator } = make()
    const contents = rows.join(separator)
    files.push(await publishFile(kv, slot, { name, rows: rows.length, contents }))
  }
  return files
}
