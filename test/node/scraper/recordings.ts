import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Recorded upstream answers and series. They lie beside the repository and are never part of it. */
const SHARED = join(import.meta.dirname, '../../../../shared')

export const hasRecordings = existsSync(join(SHARED, 'documents/README.md'))

/** The title of tests that are skipped without the recordings, which says so. */
export function titleOf(what: string): string {
  return hasRecordings ? what : `${what}: skipped, the recordings in ../shared are not here`
}

/** The text of a recording: `documents/bna/snippet_2022.html`. */
export function recording(path: string): string {
  return readFileSync(join(SHARED, path), 'utf8')
}

/** The files under a folder of recordings, by their path within it. */
export function recordings(folder: string): string[] {
  const root = join(SHARED, folder)
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted()
}
