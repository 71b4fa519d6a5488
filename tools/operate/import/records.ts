import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { CommandError } from '../../support/arguments.ts'

/** The line of a row in a CSV, or its position in a JSON array (from 1). */
export const ROW = Symbol('row')

/** One row of a file: fields by name. Names of CSV columns are converted to lower case. */
export type FileRecord = Record<string, unknown> & { [ROW]?: number }

/**
 * The rows of a JSON array, or of a CSV with a header: RFC 4180, with LF or CRLF. Throws a
 * `CommandError` when the file cannot be read or is neither.
 */
export function readRecords(file: string): FileRecord[] {
  try {
    const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
    return text.trimStart().startsWith('[') ? jsonRecords(text) : csvRecords(text)
  } catch (error) {
    throw new CommandError(`${file}: ${(error as Error).message}`)
  }
}

const isNested = (field: unknown) => typeof field === 'object' && field !== null

/** Accepts only an array of flat objects. */
function jsonRecords(text: string): FileRecord[] {
  const rows = JSON.parse(text) as FileRecord[]
  if (rows.some((row) => !isNested(row) || Object.values(row).some(isNested)))
    throw new Error('the JSON array is not one of flat objects')
  for (const [index, row] of rows.entries()) row[ROW] = index + 1
  return rows
}

/**
 * A first line `sep=;`, which Excel writes, names the separator. Otherwise a tab or a semicolon in
 * the header is the separator, because no column name contains these.
 */
function csvRecords(text: string): FileRecord[] {
  const header = text.split(/[\r\n]/)[0]!
  const named = /^sep=(.)$/i.exec(header)?.[1]
  const delimiter = named ?? ['\t', ';'].find((mark) => header.includes(mark)) ?? ','
  return parse(text, {
    delimiter,
    from_line: named ? 2 : 1,
    columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
    on_record: (record: FileRecord, { lines }) => Object.assign(record, { [ROW]: lines }),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    // With semicolons or tabs, decimals have commas, as in Spanish Excel.
    ...(delimiter !== ',' && { cast: withPoint }),
  })
}

/** Converts `1.430,5` to `1430.5`. `1.430` is ambiguous, so `?` makes it an invalid number. */
function withPoint(text: string): string {
  const value = text.trim()
  if (/^\d{1,3}(\.\d{3})+$/.test(value)) return `?${value}`
  const isDecimal = /^(\d+|\d{1,3}(\.\d{3})+),\d+$/.test(value)
  return isDecimal ? value.replaceAll('.', '').replace(',', '.') : text
}
