import { argentineDay, DAY_MS, dayStart, type Instant } from '../../../shared/argentine-time.ts'
import type { Charts } from './read-charts.ts'

export const RANGES = [
  ['dia', '1 día', '1D'],
  ['semana', '1 semana', '1S'],
  ['mes', '1 mes', '1M'],
  ['anio', '1 año', '1A'],
  ['todo', 'Todo', 'Todo'],
] as const
export type Range = (typeof RANGES)[number][0]

/**
 * The initial choices of a chart; the address keeps those that differ (`static/chart/address.js`).
 */
export interface ChartChoices {
  range: Range
  /** The default range. */
  usualRange: Range
  candles: boolean
  compared: readonly string[]
}

/** The parameters of the address. */
export const CHART_PARAMETERS = ['periodo', 'dibujo', 'comparar']

/** The choices of the address; invalid ones are the default. */
export function readChoices(query: Record<string, string>, usualRange: Range): ChartChoices {
  const requested = RANGES.find(([name]) => name === query['periodo'])?.[0]
  return {
    range: requested ?? usualRange,
    usualRange,
    candles: query['dibujo'] === 'velas',
    compared: (query['comparar'] ?? '').split(','),
  }
}

/** A month if it has two known days; else the last day. */
export function usualRangeOf({ closes }: Charts, now: Instant): Range {
  const from = (dayStart(argentineDay(now)) - 30 * DAY_MS) / DAY_MS
  return closes.filter(([day]) => day >= from).length >= 2 ? 'mes' : 'dia'
}

/** Whether two values are known, so that there is a line to draw. */
export function isDrawable({ closes, recent }: Charts): boolean {
  return closes.length + recent.length >= 2
}
