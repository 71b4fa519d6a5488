import type { Task, Told, Outcome } from '../harness/tasks.ts'
import { table } from '../../support/table.ts'

/** A group of measurements: a file in this folder, listed in bench.ts above it. */
export interface Bench extends Task<Figure[], Sizes> {
  /** How its figures are measured, for readers without the code. */
  method: string
}

interface Sizes {
  /** Finished deliveries in the larger table. */
  points?: number | undefined
}

export type BenchOptions = Sizes & Told

/** One measured number, and the budget that it has to keep where there is one. */
export interface Figure {
  name: string
  value: number
  unit?: string
  atMost?: number
  atLeast?: number
}

export function figure(
  name: string,
  value: number,
  unit?: string,
  budget: Pick<Figure, 'atMost' | 'atLeast'> = {},
): Figure {
  return { name, value, ...(unit !== undefined && { unit }), ...budget }
}

/** Whether a figure keeps its budget; true where there is none. */
export function isKept({ value, atMost, atLeast }: Figure): boolean {
  return value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity)
}

export { median } from 'simple-statistics'

export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}

export type BenchResult = Outcome<Bench>

export function isGood({ result }: BenchResult): boolean {
  return result !== null && result.every(isKept)
}

export function printResults(results: readonly BenchResult[]): string {
  const rows = results.flatMap(({ name, result, failure }) => [
    ...(result ?? []).map((figure) => rowOf(name, figure)),
    ...(failure === null ? [] : [[name, `not measured: ${failure}`, '', '', '', 'NO']]),
  ])
  const methods = results.map(
    ({ name, seconds, method }) => `- ${name} (${Math.round(seconds)} s): ${method}`,
  )
  const heads = ['bench', 'figure', 'target', 'measured', 'of target', 'kept']
  return [table([heads, ...rows]), '', ...methods].join('\n')
}

function rowOf(bench: string, figure: Figure): string[] {
  const { name, value, unit = '', atMost, atLeast } = figure
  const target = atMost ?? atLeast
  return [
    bench,
    name,
    target === undefined ? '' : `${atMost === undefined ? '≥' : '≤'} ${target}`,
    `${value} ${unit}`.trim(),
    target ? `${rounded(value / target)} ×` : '',
    target === undefined ? '' : isKept(figure) ? 'yes' : 'NO',
  ]
}
