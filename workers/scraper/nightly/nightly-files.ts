/**
 * Builds the nightly files and the charts of closed days, after midnight and after each change of
 * history.
 */
import {
  DAY_MS,
  dayNumber,
  dayOfNumber,
  type Instant,
  SECOND_MS,
} from '../../../shared/argentine-time.ts'
import {
  FILES_SCHEMA,
  type NightlyFile,
  fileKey,
  type Manifest,
  MANIFEST_KEY,
  readManifest,
} from '../../../shared/board/nightly-files.ts'
import {
  CHART_SCHEMA,
  closesKey,
  MONTH_KEY,
  type MonthDocument,
} from '../../../shared/board/charts.ts'
import { log } from '../../../shared/log.ts'
import { type PairCloses, readFilesState, readCloses } from '../db/nightly.ts'
import { countRows, type DailyCloses, dailyCloses, toCsvFile, toParquet } from './daily-closes.ts'
import { compatibilityFiles } from './compatibility.ts'
import { toHex } from '../../../shared/encoding.ts'
import { pairKey } from '../../../shared/market/catalog.ts'

/** Closes kept per pair. There is at most one per day, so they cover at least a month. */
export const MONTH_CLOSES = 32

export interface FilesEnv {
  DB: D1Database
  BOARD: KVNamespace
}

type FilesReport =
  /** The files are up to date. */
  | { outcome: 'current' }
  /** Nothing was ever quoted. */
  | { outcome: 'empty' }
  | { outcome: 'built'; day: string; rows: number; bytes: number }

/** The files of an older manifest remain for this long, for readers that have that manifest. */
const KEPT_MS = 7 * DAY_MS
/** If no day closes, the files are made again after this time, before they expire. */
const RENEWED_MS = KEPT_MS / 2

/**
 * Makes the files if they are due, and logs one line. A build may run twice, overlap another or
 * die: files are stored under the SHA-256 of their bytes, and the manifest that names them is
 * written last. The next run repeats a build that died, or that another build overtook.
 */
export async function updateFiles(
  { DB, BOARD }: FilesEnv,
  now: () => Instant,
): Promise<FilesReport> {
  const [shown, state] = await Promise.all([readManifest(BOARD), readFilesState(DB)])
  if (!state) return { outcome: 'empty' }

  const { day, revision } = state
  const isShown = shown?.day === day && shown.revision === revision
  if (isShown && now() < shown.builtAt + RENEWED_MS) return { outcome: 'current' }

  const closes = await readCloses(DB, day)
  await drawCharts(BOARD, closes)
  const daily = closes.length > 0 ? dailyCloses(closes, dayNumber(day)) : null
  const files = daily ? await publishAll(BOARD, daily) : []
  const firstDay = daily ? dayOfNumber(daily.first) : day
  const made = { schema: FILES_SCHEMA, ...state, builtAt: now(), firstDay, files } as const
  await BOARD.put(MANIFEST_KEY, JSON.stringify(made satisfies Manifest))
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const report = { outcome: 'built', day, rows: daily ? countRows(daily) : 0, bytes } as const
  log('nightly_files', report)
  return report
}

/** Writes one chart per pair, then the last closes of all pairs. */
async function drawCharts(kv: KVNamespace, pairs: readonly PairCloses[]): Promise<void> {
  const month: MonthDocument['closes'] = {}
  for (const { pair, closes } of pairs) {
    await kv.put(closesKey(pair), JSON.stringify({ schema: CHART_SCHEMA, closes }))
    month[pairKey(pair)] = closes.slice(-MONTH_CLOSES).map(([day, sell]) => [day, sell])
  }
  await kv.put(MONTH_KEY, JSON.stringify({ schema: CHART_SCHEMA, closes: month }))
}

/** Writes the files one after the other, so that only one is in memory. */
async function publishAll(kv: KVNamespace, daily: DailyCloses): Promise<NightlyFile[]> {
  const rows = countRows(daily)
  const files = [
    await publishFile(kv, { name: 'cotizaciones.csv', rows, contents: toCsvFile(daily) }),
    await publishFile(kv, { name: 'cotizaciones.parquet', rows, contents: toParquet(daily) }),
  ]
  for (const make of compatibilityFiles(daily)) {
    const { name, rows, separator } = make()
    const contents = rows.join(separator)
    files.push(await publishFile(kv, { name, rows: rows.length, contents }))
  }
  return files
}

/** Writes a file and returns its entry. Nobody reads the file before a manifest names it. */
async function publishFile(
  kv: KVNamespace,
  { name, rows, contents }: { name: string; rows: number; contents: string | Uint8Array },
): Promise<NightlyFile> {
  const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents
  const digest = await crypto.subtle.digest('SHA-256', bytes as BufferSource)
  const file = { name, bytes: bytes.length, sha256: toHex(new Uint8Array(digest)), rows }
  await kv.put(fileKey(file), bytes, { expirationTtl: KEPT_MS / SECOND_MS })
  return file
}
