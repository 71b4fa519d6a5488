/// <reference types="vite/client" />
import type { Instant } from '../../shared/argentine-time.ts'
import { readingLine } from '../../tools/operate/check-sources.ts'
import { sourceNamed } from '../../workers/scraper/sources/index.ts'
import { SourceError } from '../../workers/scraper/sources/source.ts'

/** Our own small upstream documents, made from the formats with our own numbers. */
const files = import.meta.glob<string>('../scraper/documents/*', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** By its file; where its source names it, by that. */
export function document(name: string): string {
  const text = ['', '.json', '.html']
    .map((ending) => files[`../scraper/documents/${name}${ending}`])
    .find((text) => text !== undefined)
  if (text === undefined) throw new Error(`no document ${name}`)

  return text
}

/** What a document says, a reading a line, or the class that its source fails with. */
export function linesOf(source: string, body: string, now: Instant): string[] {
  try {
    return sourceNamed(source).parse(body, now).map(readingLine)
  } catch (error) {
    return [error instanceof SourceError ? error.failure : String(error)]
  }
}

/**
 * A table of such lines, each document's under `# SOURCE FILE INSTANT`. Without a file it is named by
 * its source, and may be without an instant.
 */
export function expectedLines(table: string) {
  const documents = table.trim().split(/^# /m).slice(1)
  return documents.map((text) => {
    const [head, ...lines] = text.trim().split('\n')
    const [source, file = source, at] = head!.split(' ') as [string, string?, string?]
    return { source, file, lines, ...(at && { at: Date.parse(at) }) }
  })
}
