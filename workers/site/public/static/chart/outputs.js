/* The other forms of a drawing: a table, a CSV file, a PNG file. */
import { lastOfEach, monthOf, weekOf, dayStart } from './series.js'
import { colour } from './plot.js'
import { moment, printed } from './words.js'

const BUCKETS = { dia: (at) => at, semana: dayStart, mes: dayStart, anio: weekOf, todo: monthOf }

/** The table, newest first: every change of the last day, else a row a day, week or month. */
export function fillTable(table, { range, shown, data, unit }) {
  const [instants, ...rows] = data
  const head = row('th', ['Fecha', ...shown.map(({ name }) => name)], 'col')
  const body = lastOfEach(instants, BUCKETS[range])
    .toReversed()
    .map((at) => {
      const line = row(
        'td',
        rows.map((values) => printed(values[at], unit)),
      )
      const when = document.createElement('th')
      when.scope = 'row'
      when.textContent = moment(range, instants[at])
      line.prepend(when)
      return line
    })
  table.tHead.replaceChildren(head)
  table.tBodies[0].replaceChildren(...body)
}

function row(tag, texts, scope) {
  const line = document.createElement('tr')
  for (const text of texts) {
    const cell = document.createElement(tag)
    cell.textContent = text
    if (scope) cell.scope = scope
    line.append(cell)
  }
  return line
}

/** Every instant that is drawn, dots for decimals, after the mark by which Excel knows UTF-8. */
export function csvOf({ shown, data }) {
  const [instants, ...rows] = data
  const lines = instants.map((at, index) => {
    const local = new Date((at - 3 * 3600) * 1000).toISOString().slice(0, 19)
    const values = rows.map((row) => (row[index] === null ? '' : Number(row[index].toFixed(4))))
    return [`${local}-03:00`, ...values].join(',')
  })
  const head = ['\ufefffecha', ...shown.map(({ name }) => quoted(name))].join(',')
  return new Blob([[head, ...lines, ''].join('\r\n')], { type: 'text/csv' })
}

function quoted(text) {
  return `"${text.replaceAll('"', '""')}"`
}

/** The canvas on the page's background, under its title and its values. */
export function pngOf(chart, words) {
  const source = chart.ctx.canvas
  const ratio = globalThis.devicePixelRatio || 1
  const canvas = document.createElement('canvas')
  const [margin, head] = [16 * ratio, 56 * ratio]
  canvas.width = source.width + 2 * margin
  canvas.height = source.height + head + 2 * margin
  const ctx = canvas.getContext('2d')
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

export function save(blob, name) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
