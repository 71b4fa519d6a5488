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

/** What a chart shows first; the address keeps what differs (`static/chart/address.js`). */
export interface ChartChoices {
  range: Range
  /** What stands there when the address says nothing. */
  usualRange: Range
  candles: boolean
  compared: readonly string[]
}

/** Where the address says it. */
export const CHART_PARAMETERS = ['periodo', 'dibujo', 'comparar']

/** What the address asks for; words that mean nothing are the usual. */
export function readChoices(query: Record<string, string>, usualRange: Range): ChartChoices {
  const requested = RANGES.find(([name]) => name === query['periodo'])?.[0]
  return {
    range: requested ?? usualRange,
    usualRange,
    candles: query['dibujo'] === 'velas',
    compared: (query['comparar'] ?? '').split(','),
  }
}

/** A month where two days of it are known; else what the last day knows. */
export function usualRangeOf({ closes }: Charts, now: Instant): Range {
  const from = (dayStart(argentineDay(now)) - 30 * DAY_MS) / DAY_MS
  return closes.filter(([day]) => day >= from).length >= 2 ? 'mes' : 'dia'
}

/** Whether two values are known, so that there is a line to draw. */
export function isDrawable({ closes, recent }: Charts): boolean {
  return closes.length + recent.length >= 2
}
