/** The texts of a chart: moments, values, and why it is empty. */
import { argentineDay } from '../../../../shared/argentine-time.ts'
import { numberToPrice, percentChange } from '../../../../shared/market/price.ts'
import {
  dayText,
  momentText,
  percentText,
  type Units,
  valueText,
} from '../../../../shared/market/spanish-text.ts'
import { dayStart, type Range, type Values } from '../../pair/series.ts'

/** The unit of the drawn numbers. */
export interface Unit {
  type: Units['valueType'] | 'percent'
  decimals: number
}

export function moment(range: Range, seconds: number): string {
  const instant = seconds * 1000
  return range === 'dia' ? momentText(instant) : dayText(argentineDay(instant))
}

export function printed(value: number | null | undefined, { type, decimals }: Unit): string {
  if (value === null || value === undefined) return 'sin datos'
  if (type === 'percent') return percentText(value)
  return valueText(numberToPrice(value), { valueType: type, decimals })
}

/**
 * The last value and its change. For the last day, the change counts from yesterday's close, as
 * everywhere on the page; for a longer range, from the first value of the range.
 */
export function movement(
  range: Range,
  instants: readonly number[],
  values: Values,
  unit: Unit,
): string {
  const last = values.findLast((value) => value !== null)
  if (last == null || unit.type === 'percent') return printed(last, unit)

  const first = range === 'dia' ? closeBefore(instants, values) : values.find((v) => v !== null)
  if (!first) return printed(last, unit)
  return `${printed(last, unit)} (${percentText(percentChange(numberToPrice(last), numberToPrice(first)))})`
}

function closeBefore(instants: readonly number[], values: Values) {
  const midnight = dayStart(instants.at(-1)!)
  return values[instants.findLastIndex((at) => at < midnight)]
}

/** Why nothing can be drawn, and when this will change; null when there is a drawing. */
export function emptiness(range: Range, rows: readonly Values[], unit: Unit): string | null {
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
