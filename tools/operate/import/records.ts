import { createReadStream, readFileSync } from 'node:fs'
import { pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'

/** One row of a file, whatever its form: fields by name. */
export type FileRecord = Record<string, unknown>

/** The rows of a JSON array, or of a CSV with a header, which is read as it streams in. */
export async function* records(file: string): AsyncGenerator<FileRecord> {
  const begin = await beginOf(file)
  if (begin.trimStart().startsWith('[')) yield* jsonRecords(readFileSync(file, 'utf8'))
  else yield* csvRecords(file, begin.split(/[\r\n]/)[0]!.includes(';') ? ';' : ',')
}

async function beginOf(file: string): Promise<string> {
  for await (const chunk of createReadStream(file, { encoding: 'utf8' }))
    return (chunk as string).replace(/^\uFEFF/, '')
  return ''
}

const isNested = (field: unknown) => typeof field === 'object' && field !== null

/** Objects within objects are not of these formats. */
function jsonRecords(text: string): FileRecord[] {
  const rows = JSON.parse(text.replace(/^\uFEFF/, '')) as FileRecord[]
  if (rows.some((row) => !isNested(row) || Object.values(row).some(isNested)))
    throw new SyntaxError('the JSON array is not one of flat objects')
  return rows
}

/**
 * RFC 4180, with LF or CRLF. A file with semicolons has decimal commas, as Excel in Spanish writes
 * it.
 */
async function* csvRecords(file: string, delimiter: ',' | ';'): AsyncGenerator<FileRecord> {
  const parser = parse({
    delimiter,
    bom: true,
    columns: (header: string[]) => header.map((name) => name.trim()),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    ...(delimiter === ';' && { cast: withPoint }),
  })
  try {
    const rows = pipeline(createReadStream(file), parser, () => {})
    yield* rows as AsyncIterable<FileRecord>
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
