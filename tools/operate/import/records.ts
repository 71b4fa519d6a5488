import { createReadStream, readFileSync } from 'node:fs'
import { pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'

/** The line of a row in a CSV, or its place in a JSON array, from 1. */
export const ROW = Symbol('row')

/** One row of a file: fields by name. The names of a CSV are in lower case. */
export type FileRecord = Record<string, unknown> & { [ROW]?: number }

/** The rows of a JSON array, or of a CSV with a header, which is read as it streams in. */
export async function* records(file: string): AsyncGenerator<FileRecord> {
  const form = formOf(await beginOf(file))
  if (form === 'JSON') yield* jsonRecords(readFileSync(file, 'utf8'))
  else yield* csvRecords(file, form)
}

/** The separator of a file's columns, for a message. */
export async function separatorOf(file: string): Promise<string> {
  const form = formOf(await beginOf(file))
  return form === 'JSON' ? 'JSON' : form.delimiter === '\t' ? 'tabs' : `"${form.delimiter}"`
}

interface CsvForm {
  delimiter: string
  /** 2 when the first line is `sep=;`, which Excel writes. */
  fromLine: 1 | 2
}

/** Decides by the first line, because no column name contains a tab or a semicolon. */
function formOf(begin: string): 'JSON' | CsvForm {
  if (begin.trimStart().startsWith('[')) return 'JSON'
  const header = begin.split(/[\r\n]/)[0]!
  const told = /^sep=(.)$/i.exec(header)?.[1]
  if (told) return { delimiter: told, fromLine: 2 }
  return { delimiter: ['\t', ';'].find((mark) => header.includes(mark)) ?? ',', fromLine: 1 }
}

async function beginOf(file: string): Promise<string> {
  for await (const chunk of createReadStream(file, { encoding: 'utf8' }))
    return (chunk as string).replace(/^\uFEFF/, '')
  return ''
}

const isNested = (field: unknown) => typeof field === 'object' && field !== null

/** These formats have no objects within objects. */
function jsonRecords(text: string): FileRecord[] {
  const rows = JSON.parse(text.replace(/^\uFEFF/, '')) as FileRecord[]
  if (rows.some((row) => !isNested(row) || Object.values(row).some(isNested)))
    throw new SyntaxError('the JSON array is not one of flat objects')
  for (const [index, row] of rows.entries()) row[ROW] = index + 1
  return rows
}

/**
 * RFC 4180, with LF or CRLF. With semicolons or tabs, decimals have commas, as in Spanish Excel.
 */
async function* csvRecords(
  file: string,
  { delimiter, fromLine }: CsvForm,
): AsyncGenerator<FileRecord> {
  const parser = parse({
    delimiter,
    bom: true,
    from_line: fromLine,
    columns: (header: string[]) => header.map((name) => name.trim().toLowerCase()),
    on_record: (record: FileRecord, { lines }) => Object.assign(record, { [ROW]: lines }),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    ...(delimiter !== ',' && { cast: withPoint }),
  })
  try {
    const rows = pipeline(createReadStream(file), parser, () => {})
    yield* rows as AsyncIterable<FileRecord>
  } catch (error) {
    throw error instanceof CsvError ? new SyntaxError(error.message) : error
  }
}

/** Turns `1.430,5` into `1430.5`. `1.430` is ambiguous, so it becomes no number. */
function withPoint(text: string): string {
  const value = text.trim()
  if (/^\d{1,3}(\.\d{3})+$/.test(value)) return `?${value}`
  const isDecimal = /^(\d+|\d{1,3}(\.\d{3})+),\d+$/.test(value)
  return isDecimal ? value.replaceAll('.', '').replace(',', '.') : text
}
