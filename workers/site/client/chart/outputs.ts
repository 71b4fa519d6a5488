/** Other outputs of a drawing: a table and a CSV file. */
import { formatArgentine } from '../../../../shared/argentine-time.ts'
import { make } from '../dom.ts'
import { lastOfEach, RANGES } from '../../pair/series.ts'
import type { Drawing } from './plot.ts'
import { moment, printed } from './words.ts'

/** The table, newest first: every change of the last day, else a row a day, week or month. */
export function fillTable(table: HTMLTableElement, { range, shown, data, unit }: Drawing): void {
  const [instants, ...rows] = data
  const heads = ['Fecha', ...shown.map(({ name }) => name)]
  const body = lastOfEach(instants, RANGES[range].bucketOf)
    .toReversed()
    .map((at) =>
      make(
        'tr',
        {},
        make('th', { scope: 'row' }, moment(range, instants[at]!)),
        ...rows.map((values) => make('td', {}, printed(values[at], unit))),
      ),
    )
  const head = make('tr', {}, ...heads.map((name) => make('th', { scope: 'col' }, name)))
  table.tHead!.replaceChildren(head)
  table.tBodies[0]!.replaceChildren(...body)
}

/** Every drawn instant, with decimal points, after the mark by which Excel knows UTF-8. */
export function csvOf({ shown, data }: Drawing): Blob {
  const [instants, ...rows] = data
  const lines = instants.map((at, index) => {
    const values = rows.map((row) => (row[index] == null ? '' : Number(row[index].toFixed(4))))
    return [formatArgentine(at * 1000).replace('.000', ''), ...values].join(',')
  })
  const head = ['\ufefffecha', ...shown.map(({ name }) => quoted(name))].join(',')
  return new Blob([[head, ...lines, ''].join('\r\n')], { type: 'text/csv' })
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

export function save(blob: Blob, name: string): void {
  const link = make('a', { href: URL.createObjectURL(blob), download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
