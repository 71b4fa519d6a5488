/** CSV by RFC 4180: a header row, CRLF after every row, quotes only where needed. */

export const CSV_TYPE = 'text/csv; charset=utf-8'

export type CsvValue = string | number | boolean | null

/**
 * A table with these columns, by default the keys of its first row. Null is an empty field. Numbers
 * have a decimal point and no thousands separator. A field with a comma, a quote or a line break is
 * quoted, with its quotes doubled.
 */
export function toCsv<Column extends string>(
  rows: readonly Readonly<Record<Column, CsvValue>>[],
  columns: readonly Column[] = Object.keys(rows[0]!) as Column[],
): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))]
  return lines.map((fields) => `${fields.map(csvField).join(',')}\r\n`).join('')
}

function csvField(value: CsvValue): string {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
