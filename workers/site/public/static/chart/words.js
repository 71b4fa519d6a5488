/* The texts of a chart: moments, values, and why it is empty. */
import { argentineText, percentText, valueText } from '../quote-text.js'
import { dayStart } from './series.js'

export const RANGES = {
  dia: { days: 1, name: 'Último día' },
  semana: { days: 7, name: 'Última semana' },
  mes: { days: 30, name: 'Último mes' },
  anio: { days: 365, name: 'Último año' },
  todo: { days: Infinity, name: 'Desde el primer dato' },
}

const DATE = { day: 'numeric', month: 'numeric', year: 'numeric' }
const MOMENT = { ...DATE, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }

export function moment(range, seconds) {
  return argentineText(seconds * 1000, range === 'dia' ? MOMENT : DATE)
}

export function printed(value, { type, decimals }) {
  if (value === null || value === undefined) return 'sin datos'
  if (type === 'percent') return percentText(value)
  return valueText(Math.round(value * 10_000), { valueType: type, decimals })
}

/**
 * The last value and how far it moved: over the last day since yesterday's close, as everywhere
 * else on the page; over a longer time since its first value.
 */
export function movement(range, instants, values, unit) {
  const last = values.findLast((value) => value !== null)
  if (last === undefined) return 'sin datos'
  if (unit.type === 'percent') return printed(last, unit)

  const first = range === 'dia' ? closeBefore(instants, values) : values.find((v) => v !== null)
  if (!first) return printed(last, unit)
  return `${printed(last, unit)} (${percentText((last / first - 1) * 100)})`
}

function closeBefore(instants, values) {
  const midnight = dayStart(instants.at(-1))
  const index = instants.findLastIndex((at) => at < midnight)
  return index === -1 ? null : values[index]
}

/** Why there is nothing to draw, and when there will be; null when there is. */
export function emptiness(range, rows, unit) {
  const known = rows.map((row) => row.filter((value) => value !== null))
  if (known.every((values) => values.length === 0)) {
    return range === 'dia'
      ? 'No hay valores del último día. Aparecen con el próximo cambio.'
      : 'No hay datos de este período. El gráfico se completa con un cierre por día.'
  }
  const still = known.every((values) => new Set(values).size <= 1)
  if (range === 'dia' && still) {
    return `Sin cambios en el último día: sigue en ${printed(known[0]?.at(-1) ?? known.flat()[0], unit)}. La línea se dibuja con el próximo cambio.`
  }
  return known.every((values) => values.length < 2)
    ? 'Hay un solo valor en este período. La línea se dibuja con el próximo cambio.'
    : null
}
