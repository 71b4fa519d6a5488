import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DOCUMENTS } from '../../../workers/site/reference/documents.ts'
import type { Terms } from '../../../shared/api/operation.ts'
import type { Document } from '../../../workers/site/reference/openapi.ts'
import { breakingChanges } from './breaking.ts'

/** Where the documents of the last release are kept, by the name that they are served under. */
const FOLDER = join(import.meta.dirname, '../../../test/fixtures/released')

/** As a deployment of the defaults says them. */
const TERMS: Terms = {
  origin: 'https://cotizaciones.example',
  dateReads: 20,
  unknownKeys: 30,
  dailyBudget: 20_000,
  waits: [30, 300, 1800],
  compatibility: false,
}

/** Each document as it was released, null when the last release did not have it, and as it is now. */
export function comparedDocuments() {
  return DOCUMENTS.map(({ path, make }) => {
    const file = join(FOLDER, path.split('/').at(-1)!)
    const released = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Document) : null
    return { file, released, current: make(TERMS) }
  })
}

/** What the documents would break for programs written against the last release. */
export function breaksSinceRelease(): string[] {
  return comparedDocuments().flatMap(({ released, current }) =>
    released ? breakingChanges(released, current) : [],
  )
}

/** Keeps the documents of now as those of the release; the files. */
export function keepAsReleased(): string[] {
  mkdirSync(FOLDER, { recursive: true })
  return comparedDocuments().map(({ file, current }) => {
    writeFileSync(file, `${JSON.stringify(current, null, 2)}\n`)
    return file
  })
}
