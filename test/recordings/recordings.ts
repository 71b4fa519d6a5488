import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Recorded upstream answers and series. They lie beside the repository and are never part of it. */
export const RECORDINGS = join(import.meta.dirname, '../../../shared')

/** Where a recording is: `documents/bna/snippet_2022.html`, or a folder of them. */
export function pathOf(path: string): string {
  return join(RECORDINGS, path)
}

export function recording(path: string): string {
  return readFileSync(pathOf(path), 'utf8')
}
