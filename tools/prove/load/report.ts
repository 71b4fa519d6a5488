import { table } from '../../support/table.ts'
import type { Outcome } from '../harness/tasks.ts'
import type { Load, LoadResult } from './load.ts'

export type NamedResult = Outcome<Load>

export function isGood({ result }: NamedResult): boolean {
  return result !== null && result.problems.length === 0 && !result.memory.grows
}

const LATENCIES = ['p50', 'p97_5', 'p99', 'max'] as const

const COLUMNS: readonly (readonly [head: string, cell: (result: LoadResult) => string])[] = [
  ['requests', ({ requests }) => count(requests)],
  ['a second', ({ perSecond }) => count(perSecond)],
  ['problems', ({ problems }) => String(problems.length)],
  ...LATENCIES.map((name, index) => {
    const cell = ({ latency }: LoadResult) => count(latency[name])
    return [['p50', 'p97.5', 'p99', 'max (ms)'][index]!, cell] as const
  }),
  ['memory (MiB)', ({ memory }) => `${memory.typical} (peak ${memory.peak})`],
  ['MiB/min', ({ memory }) => String(memory.slope)],
]

const count = (number: number) => number.toLocaleString('en')

/** The table, and below it what each load was and what it found. */
export function printReport(results: readonly NamedResult[]): string {
  const heads = ['load', ...COLUMNS.map(([head]) => head), 'good']
  const rows = results.map((named) => [
    named.name,
    ...COLUMNS.map(([, cell]) => (named.result ? cell(named.result) : '')),
    isGood(named) ? 'yes' : 'NO',
  ])
  return [table([heads, ...rows]), '', ...results.flatMap(linesOf)].join('\n')
}

function linesOf({ name, summary, result, failure }: NamedResult): string[] {
  if (!result) return [`- ${name}: could not be run: ${failure}`]

  const { counts, warmUpSeconds, problems, memory } = result
  const counted = Object.entries(counts).map(([what, count]) => `${what} × ${count}`)
  return [
    `- ${name}: ${summary}; warm after ${warmUpSeconds} s, ${counted.join(', ')}`,
    `  memory every 2 s: ${memory.samples.join(' ')}`,
    ...(memory.grows ? [`  PROBLEM: memory grew by ${memory.growth} MiB`] : []),
    ...problems.map((problem) => `  PROBLEM: ${problem}`),
  ]
}
