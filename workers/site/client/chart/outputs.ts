/** Other outputs of a drawing: a table, a CSV file, a PNG file. */
import type uPlot from 'uplot'
import { formatArgentine } from '../../../../shared/argentine-time.ts'
import { make } from '../dom.ts'
import { lastOfEach, RANGES } from '../../pair/series.ts'
import { colour, type Drawing } from './plot.ts'
import { moment, printed } from './words.ts'

/** Fills the table, newest first: every change of the last day, or a row per day, week or month. */
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

/** Every drawn instant, with decimal points. A byte order mark shows Excel that this is UTF-8. */
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

/** The chart as PNG on the page's background colour, under a title and the values. */
export function pngOf(chart: uPlot, words: { title: string; line: string }): Promise<Blob | null> {
  const source = chart.ctx.canvas
  const ratio = devicePixelRatio || 1
  const [margin, head] = [16 * ratio, 56 * ratio]
  const canvas = make('canvas', {
    width: source.width + 2 * margin,
    height: source.height + head + 2 * margin,
  })
  const ctx = canvas.getContext('2d')!
  ctx.fillStyle = colour('--surface')
  ctx.fillRect(0, 0, canvas.width, canvas.height)
  ctx.textBaseline = 'top'
  ctx.fillStyle = colour('--text')
  ctx.font = `600 ${18 * ratio}px system-ui, sans-serif`
  ctx.fillText(words.title, margin, margin, canvas.width - 2 * margin)
  ctx.fillStyle = colour('--muted')
  ctx.font = `${13 * ratio}px system-ui, sans-serif`
  ctx.fillText(words.line, margin, margin + 27 * ratio, canvas.width - 2 * margin)
  ctx.drawImage(source, margin, head + margin)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}

export function save(blob: Blob | null, name: string): void {
  if (!blob) return
  const link = make('a', { href: URL.createObjectURL(blob), download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
