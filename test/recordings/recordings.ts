import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The path of a recording, `documents/bna/snippet_2022.html`, or of a folder of recordings.
 * Recorded answers and series lie beside the repository and are never part of it.
 */
export function pathOf(path: string): string {
  return join(import.meta.dirname, '../../../shared', path)
}

export function recording(path: string): string {
  return readFileSync(pathOf(path), 'utf8')
}
