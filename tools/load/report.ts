import { table } from '../harness/table.ts'
import type { Outcome } from '../harness/tasks.ts'
import type { Load } from './load.ts'

export type NamedResult = Outcome<Load>

export function isGood({ result }: NamedResult): boolean {
  return (
    result !== null && result.errors === 0 && result.problems.length === 0 && !result.memory.grows
  )
}

/** The table, and below it what each load was and what it found. */
export function printReport(results: readonly NamedResult[]): string {
  const heads = [
    'load',
    'requests',
    'a second',
    'errors',
    'p50',
    'p97.5',
    'p99',
    'max (ms)',
    'memory (MiB)',
    'MiB/min',
    'good',
  ]
  return [table([heads, ...results.map(rowOf)]), '', ...results.flatMap(linesOf)].join('\n')
}

function rowOf(named: NamedResult): string[] {
  const { name, result } = named
  const good = isGood(named) ? 'yes' : 'NO'
  if (!result) return [name, ...Array<string>(9).fill(''), good]

  const { requests, perSecond, errors, latency, memory } = result
  const times = latency ? [latency.p50, latency.p97_5, latency.p99, latency.max] : ['', '', '', '']
  return [
    name,
    requests.toLocaleString('en'),
    perSecond.toLocaleString('en'),
    String(errors),
    ...times.map((time) => time.toLocaleString('en')),
    `${memory.typical} (peak ${memory.peak})`,
    String(memory.slope),
    good,
  ]
}

function linesOf({ name, summary, result, failure }: NamedResult): string[] {
  if (!result) return [`- ${name}: could not be run: ${failure}`]

  const { counts, remarks, problems, memory } = result
  const counted = Object.entries(counts).map(([what, count]) => `${what} × ${count}`)
  return [
    `- ${name}: ${summary}; ${[...remarks, ...counted].join(', ')}`,
    `  memory every 2 s: ${memory.samples.join(' ')}`,
    ...(memory.grows ? [`  PROBLEM: memory grew by ${memory.growth} MiB`] : []),
    ...problems.map((problem) => `  PROBLEM: ${problem}`),
  ]
}
