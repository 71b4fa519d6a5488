import type { Subject } from '../subject.ts'

/** The name is stored in the quarantine table. */
export type TermName = 'step' | 'witness' | 'relatives' | 'persistence' | 'spread' | 'form'

/** What one fact says: how much likelier it is if the market is there than if the reading is wrong. */
export interface Vote {
  term: TermName
  /** A natural logarithm; above zero for the reading. */
  points: number
  /** For the operator; made only when asked for. */
  text: () => string
}

/** A term of the sum. Pure: the same subject gives the same votes. */
export type Term = (subject: Subject) => Vote[]

export function percent(share: number): string {
  return `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)} %`
}
