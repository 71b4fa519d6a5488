/// <reference types="vite/client" />
import type { Instant } from '../../shared/argentine-time.ts'
import { readingLine } from '../../tools/operate/check-sources.ts'
import { sourceNamed } from '../../workers/scraper/sources/index.ts'
import { SourceError } from '../../workers/scraper/sources/source.ts'

/** Our own small documents in the upstreams' formats, with invented numbers. */
const files = import.meta.glob<string>('../scraper/documents/*', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** A document by its file name, or by the name of its source. */
export function document(name: string): string {
  const text = ['', '.json', '.html']
    .map((ending) => files[`../scraper/documents/${name}${ending}`])
    .find((text) => text !== undefined)
  if (text === undefined) throw new Error(`no document ${name}`)

  return text
}

/** The readings of a document, one per line, or the class of the source's failure. */
export function linesOf(source: string, body: string, now: Instant): string[] {
  try {
    return sourceNamed(source).parse(body, now).map(readingLine)
  } catch (error) {
    return [error instanceof SourceError ? error.failure : String(error)]
  }
}

/**
 * The expected lines of documents, each document's under `# SOURCE FILE INSTANT`. Without FILE, the
 * document has its source's name, and INSTANT may be absent.
 */
export function expectedLines(table: string) {
  const documents = table.trim().split(/^# /m).slice(1)
  return documents.map((text) => {
    const [head, ...lines] = text.trim().split('\n')
    const [source, file = source, at] = head!.split(' ') as [string, string?, string?]
    return { source, file, lines, ...(at && { at: Date.parse(at) }) }
  })
}
