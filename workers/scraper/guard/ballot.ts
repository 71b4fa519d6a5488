/** The weight of evidence: the votes of every term, and their sum. */
import type { Subject } from './subject.ts'
import {
  form,
  persistence,
  relatives,
  spread,
  step,
  type Term,
  type TermName,
  type Vote,
  witness,
} from './terms.ts'
import { THRESHOLD } from './weights.ts'

const TERMS: readonly Term[] = [step, witness, relatives, persistence, spread, form]

export interface Ballot {
  votes: readonly Vote[]
  score: number
}

export function ballotOf(subject: Subject): Ballot {
  const votes = TERMS.flatMap((term) => term(subject))
  const score =
    subject.status === 'accepted' ? Infinity : votes.reduce((sum, { points }) => sum + points, 0)
  return { votes, score }
}

export function isBelieved({ score }: Ballot): boolean {
  return score >= THRESHOLD
}

/** The term that weighs most against the reading: the reason of its hold. Patience is against none. */
export function reasonOf({ votes }: Ballot): TermName {
  const [first, ...others] = votes.filter(({ term }) => term !== 'persistence')
  return others.reduce((most, vote) => (vote.points < most.points ? vote : most), first!).term
}

/** The ballot in one line: `sell +8.1 %: +2.3 · relatives at +0.1 %: −2.0 → 0.3 of 6: held`. */
export function ballotLine(ballot: Ballot): string {
  const { votes, score } = ballot
  const lines = votes.map(({ text, points }) => `${text()}: ${signed(points)}`)
  const sum = score === Infinity ? 'accepted by an operator' : `${signed(score)} of ${THRESHOLD}`
  return `${lines.join(' · ')} → ${sum}: ${isBelieved(ballot) ? 'believed' : 'held'}`
}

function signed(points: number): string {
  return `${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(1)}`
}
