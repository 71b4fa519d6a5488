/** Builds the nightly files when they are due: after midnight, or when history was changed. */
import {
  DAY_MS,
  dayStart,
  type Instant,
  lastSettledDay,
  MINUTE_MS,
} from '../../../shared/argentine-time.ts'
import {
  ARCHIVE_PREFIX,
  ARCHIVE_SCHEMA,
  type ArchivedFile,
  archiveKey,
  dayOfNumber,
  type Manifest,
  MANIFEST_KEY,
  parseManifest,
  readManifest,
} from '../../../shared/board/archive.ts'
import { readPublishedBoard } from '../../../shared/board/read-board.ts'
import { readCloses } from '../db/archive.ts'
import { type LastManifest, readRecord } from '../db/record.ts'
import { DAY_SUMS, type StoredManifest, storedManifestKey } from '../../../shared/board/record.ts'
import { countRows, type DailyCloses, dailyCloses } from './daily-closes.ts'
import { toCsvFile } from './formats/csv.ts'
import { toParquet } from './formats/parquet.ts'
import { compatibilityFiles } from './formats/compatibility.ts'
import { appendRecord, daySums, draftRecord, type RecordDraft } from './record.ts'
import { openSigner } from './sign.ts'
import { sha256 } from '../../../shared/crypto/sha256.ts'

export interface ArchiveEnv {
  DB: D1Database
  BOARD: KVNamespace
  /** Signs the manifests. Without it they are not signed, which they state. */
  RECORD_SIGNING_KEY?: string
}

type ArchiveReport =
  /** The files are up to date. */
  | { outcome: 'current' }
  /** Too soon after the last build, or another build came first. */
  | { outcome: 'waiting' }
  /** Nothing was ever quoted. */
  | { outcome: 'empty' }
  | { outcome: 'built'; day: string; rows: number; bytes: number }

/** An import changes history in many steps, and the files are not built at each of them. */
const REBUILD_MS = 10 * MINUTE_MS

/**
 * Safe to run twice, concurrently, or incompletely. Files are written first, under the SHA-256 of
 * their bytes. Then one batch of D1 writes the manifest, if the previous manifest and the history
 * are still the last. Then KV shows it; if that fails, the next run repeats it.
 */
export async function runArchive(
  { DB, BOARD, RECORD_SIGNING_KEY }: ArchiveEnv,
  { now }: { now: () => Instant },
): Promise<ArchiveReport> {
  const at = now()
  const day = lastSettledDay(at)

  const [shown, { revision, last }] = await Promise.all([readManifest(BOARD), readRecord(DB)])
  if (last && shown?.record?.sha256 !== last.sha256) await show(BOARD, last)
  // Before the first manifest, KV has the time of the last run.
  const before = last ?? (shown?.record === null ? shown : null)
  if (before?.day === day) {
    if (before.revision === revision) return { outcome: 'current' }
    const isRecent = Math.abs(at - before.builtAt) < REBUILD_MS
    if (isRecent && last) return { outcome: 'waiting' }
  }

  const [closes, board] = await Promise.all([readCloses(DB, day), readPublishedBoard(BOARD)])
  if (closes.length === 0 && (!board || last)) return { outcome: 'empty' }

  const made = {
    schema: ARCHIVE_SCHEMA,
    day,
    builtAt: at,
    mode: board?.mode ?? 'live',
    revision,
  } satisfies Partial<Manifest>
  if (closes.length === 0) {
    const none: Manifest = { ...made, firstDay: day, files: [], record: null, keys: [] }
    await BOARD.put(MANIFEST_KEY, JSON.stringify(none))
    return { outcome: 'built', day, rows: 0, bytes: 0 }
  }

  const daily = dailyCloses(closes, (dayStart(day) - dayStart('1970-01-01')) / DAY_MS)
  const firstDay = dayOfNumber(daily.first)
  const draft = await draftRecord(DB, { firstDay, day, revision, last })
  const files = await publishAll(BOARD, daily, draft)
  // Listed before the manifest is written. A later build writes files that are not in the list, and
  // a concurrent build will fail to write its manifest.
  const replaced = [shown, parseManifest(last?.published ?? null)]
  const old = await unnamed(BOARD, [...files, ...replaced.flatMap((before) => before?.files ?? [])])
  const signer = await openSigner(RECORD_SIGNING_KEY)
  const appended = await appendRecord(DB, draft, { ...made, firstDay, files }, signer)
  if (!appended) return { outcome: 'waiting' }

  await show(BOARD, appended)
  for (const name of old) await BOARD.delete(name)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return { outcome: 'built', day, rows: countRows(daily), bytes }
}

/** Makes KV show a manifest: first its bytes, then the document that names them. */
async function show(kv: KVNamespace, { name, body, signature, published }: LastManifest) {
  const stored: StoredManifest = { body, signature }
  await kv.put(storedManifestKey(name), JSON.stringify(stored))
  await kv.put(MANIFEST_KEY, published)
}

/** The files in KV without those of `named`: the new ones, and the old ones that readers may still use. */
async function unnamed(kv: KVNamespace, named: readonly ArchivedFile[]): Promise<string[]> {
  const kept = new Set(named.map(archiveKey))
  const { keys } = await kv.list({ prefix: ARCHIVE_PREFIX })
  return keys.map(({ name }) => name).filter((name) => !kept.has(name))
}

/** One after the other, so that only one is in memory. */
async function publishAll(
  kv: KVNamespace,
  daily: DailyCloses,
  draft: RecordDraft,
): Promise<ArchivedFile[]> {
  const rows = countRows(daily)
  const files = [
    await publishFile(kv, { name: 'cotizaciones.csv', rows, contents: toCsvFile(daily) }),
    await publishFile(kv, { name: 'cotizaciones.parquet', rows, contents: toParquet(daily) }),
  ]
  const sums = { name: DAY_SUMS, rows: draft.days.size, contents: daySums(draft) }
  files.push(await publishFile(kv, sums))
  for (const make of compatibilityFiles(daily)) {
    const { name, rows, separator } = make()
    const contents = rows.join(separator)
    files.push(await publishFile(kv, { name, rows: rows.length, contents }))
  }
  return files
}

/** Writes a file and describes it. Nobody reads it before a manifest names it. */
async function publishFile(
  kv: KVNamespace,
  { name, rows, contents }: { name: string; rows: number; contents: string | Uint8Array },
): Promise<ArchivedFile> {
  const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents
  const file = { name, bytes: bytes.length, sha256: await sha256(bytes), rows }
  await kv.put(archiveKey(file), bytes)
  return file
}
