import type { Outcome } from '../harness/tasks.ts'
import { type Bench, type Figure, isKept, rounded } from './bench.ts'
import { table } from '../../support/table.ts'

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
