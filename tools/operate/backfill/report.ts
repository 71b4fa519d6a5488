import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import { findingLines, type PairSummary, skippedLines, summaryTable } from '../import/report.ts'
import type { Finding } from '../import/suspicion.ts'

interface Filled {
  archive: string
  summary: PairSummary
  findings: readonly Finding[]
}

/** A series that could not be fetched. The archives after it wait. */
export interface Failure {
  pair: Pair
  archive: string
  reason: string
}

export interface Outcome {
  filled: Filled[]
  failures: Failure[]
  /** Pairs whose whole past is there. */
  complete: Pair[]
}

export function filledLines(filled: readonly Filled[]): string[] {
  return [...Map.groupBy(filled, ({ archive }) => archive)].flatMap(([archive, of]) => {
    const summaries = of.map(({ summary }) => summary)
    const found = of.flatMap(({ summary, findings }) =>
      findings.map((finding) => ({ pair: summary.pair, finding })),
    )
    return [
      `${archive}:`,
      ...summaryTable(summaries).map((line) => `  ${line}`),
      ...skippedLines(summaries),
      ...findingLines(found),
    ]
  })
}

/** `api.bcra.gob.ar answered 503: USD/MAYORISTA and ARG/CER wait for another run`, one a reason. */
export function failureLines(failures: readonly Failure[]): string[] {
  return [...Map.groupBy(failures, ({ reason }) => reason)].map(([reason, of]) => {
    const pairs = of.map(({ pair, archive }) => `${pairKey(pair)} (${archive})`)
    return `${reason}: ${pairs.join(', ')} left for another run`
  })
}

export function pointsMade(filled: readonly Filled[]): number {
  return filled.reduce((all, { summary }) => all + summary.made, 0)
}
