import { type Figure, isKept, rounded } from './bench.ts'
import { describeMachine, type Machine } from '../harness/machine.ts'
import { table } from '../harness/table.ts'

/** What became of one bench: its figures, or why there are none. */
export interface BenchResult {
  name: string
  method: string
  seconds: number
  figures: (Figure & { kept: boolean })[]
  /** Why it was not measured, as when a program that it needs is missing. */
  failure: string | null
}

/** Whether everything was measured and every budget is kept. */
export function isGood(results: readonly BenchResult[]): boolean {
  return results.every(({ figures, failure }) => failure === null && figures.every(isKept))
}

/** One table of every figure, then how each came about and on what. */
export function printResults(results: readonly BenchResult[], machine: Machine): string {
  const rows = results.flatMap(({ name, figures, failure }) => [
    ...figures.map((figure) => rowOf(name, figure)),
    ...(failure === null ? [] : [[name, `not measured: ${failure}`, '', '', '', 'NO']]),
  ])
  const methods = results.map(
    ({ name, seconds, method }) => `- ${name} (${Math.round(seconds)} s): ${method}`,
  )
  const heads = ['bench', 'figure', 'target', 'measured', 'of target', 'kept']
  return [table([heads, ...rows]), '', ...methods, '', describeMachine(machine)].join('\n')
}

function rowOf(bench: string, figure: Figure): string[] {
  const { name, value, unit, atMost, atLeast } = figure
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
