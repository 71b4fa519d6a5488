import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { JSONParser } from '@streamparser/json'
import { CsvError, parse } from 'csv-parse'

/** The rows of a JSON array or of a CSV with a header, read as the file streams in. */
export async function* records(file: string): AsyncGenerator<FileRecord> {
  const chunks = createReadStream(file, { encoding: 'utf8', highWaterMark: 256 * 1024 }).iterator()
  const first = await chunks.next()
  if (first.done) return

  const text = (first.value as string).replace(/^\uFEFF/, '')
  const whole = resumed(text, chunks as AsyncIterable<string>)
  const header = text.slice(0, text.search(/[\r\n]|$/))
  const separator = header.includes(';') ? ';' : ','
  yield* text.trimStart().startsWith('[') ? jsonRecords(whole) : csvRecords(whole, separator)
}

async function* resumed(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

/**
 * The rows of a CSV with a header (RFC 4180, LF or CRLF), as the text comes in. One with semicolons
 * has decimal commas, as Excel in Spanish writes it.
 */
export async function* csvRecords(
  chunks: AsyncIterable<string>,
  delimiter: ',' | ';' = ',',
): AsyncGenerator<FileRecord> {
  const parser = parse({
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  })
  const read = delimiter === ';' ? withPoint : (text: string) => text
  const lines = pipeline(Readable.from(chunks), parser, () => {}) as AsyncIterable<string[]>
  let header: string[] | null = null

  try {
    for await (const fields of lines) {
      if (header)
        yield Object.fromEntries(header.map((name, index) => [name, read(fields[index] ?? '')]))
      else header = fields.map((name) => name.trim())
    }
  } catch (error) {
    throw error instanceof CsvError ? new SyntaxError(error.message) : error
  }
}

/** `1.430,5` as `1430.5`. `1.430` may be either, and is no number. */
function withPoint(text: string): string {
  const value = text.trim()
  if (/^\d{1,3}(\.\d{3})+$/.test(value)) return `?${value}`
  const isDecimal = /^(\d+|\d{1,3}(\.\d{3})+),\d+$/.test(value)
  return isDecimal ? value.replaceAll('.', '').replace(',', '.') : text
}

const isNested = (field: unknown) => typeof field === 'object' && field !== null

/**
 * The flat objects of a JSON array, each as soon as its end has come in, so that the array is never
 * held whole. Objects within objects are not of these formats and end in an error.
 */
export async function* jsonRecords(chunks: AsyncIterable<string>): AsyncGenerator<FileRecord> {
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false })
  const rows: FileRecord[] = []
  parser.onValue = ({ value }) => {
    if (!isNested(value) || Object.values(value as FileRecord).some(isNested))
      throw new SyntaxError('the JSON array is not one of flat objects')
    rows.push(value as FileRecord)
  }
  parser.onError = ({ message }) => {
    throw new SyntaxError(message)
  }

  for await (const chunk of chunks) {
    parser.write(chunk)
    yield* rows.splice(0)
  }
  if (!parser.isEnded) throw new SyntaxError('the JSON array ends early')
}

/** One row of a file, whatever its form: fields by name. */
export type FileRecord = Record<string, unknown>
