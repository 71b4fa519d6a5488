/**
 * The nightly files in KV, written by the scraper and read by the site (`/datos`) and the edge
 * (whole histories at compatibility addresses). Each file is stored under the SHA-256 of its bytes,
 * so that no reader sees files of two nights and no build overwrites another's files.
 */
import type { Day, Instant } from '../argentine-time.ts'
import { KV_CACHE_TTL, type Mode, readDocument } from './board.ts'

/** Increase it with each incompatible change of the document. */
export const FILES_SCHEMA = 1

export const MANIFEST_KEY = 'files'

export interface NightlyFile {
  /** The `NAME` of `/datos/NAME`, or the result of `compatibilityFile`. */
  name: string
  bytes: number
  /** Lower-case hex. */
  sha256: string
  /** The number of rows, without the header. */
  rows: number
}

export interface Manifest {
  schema: typeof FILES_SCHEMA
  /** The last closed Argentine day in the files, and the first day. */
  day: Day
  firstDay: Day
  builtAt: Instant
  /** Readers must be able to tell simulated prices from real ones. */
  mode: Mode
  /** The revision of the history in the files (shared/db/quotes/quotes.ts). */
  revision: number
  /** Empty while no day has closed. The compatibility lists then have only today's rows. */
  files: NightlyFile[]
}

export function fileKey({ sha256 }: Pick<NightlyFile, 'sha256'>): string {
  return `file:${sha256}`
}

/** The bytes of a file; null when it has expired. */
export function openFile(kv: KVNamespace, file: NightlyFile): Promise<ReadableStream | null> {
  return kv.get(fileKey(file), { type: 'stream', cacheTtl: KV_CACHE_TTL })
}

export function readManifest(kv: KVNamespace): Promise<Manifest | null> {
  return readDocument<Manifest>(kv, MANIFEST_KEY, FILES_SCHEMA, 'nightly_files_read_failed')
}

/** The manifest of files that can be downloaded; null while there are none. */
export async function readFiles(kv: KVNamespace): Promise<Manifest | null> {
  const manifest = await readManifest(kv)
  return manifest && manifest.files.length > 0 ? manifest : null
}

/** The name of the nightly file with a list of the compatibility addresses. */
export function compatibilityFile(list: string): string {
  return `compatibility/${list}`
}

export const EVOLUTION = compatibilityFile('evolution')
export const EVOLUTION_CSV = compatibilityFile('evolution-csv')
