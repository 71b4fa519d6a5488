import { HOUR_MS, type Instant, DAY_MS } from '../../../shared/argentine-time.ts'
import type { Current } from './decision.ts'
import type { Candidate } from '../pairs/candidate.ts'
import { isFrozen } from './observe/freeze.ts'
import { shifted } from './observe/gap.ts'
import type { Level } from './observe/levels.ts'
import { limitsOf } from './rules/limits.ts'
import type { GuardMemory, SourceMemory } from './observe/memory.ts'
import type { Rule } from './rules/rule.ts'
import { RULES } from './rules/rules.ts'

/** A value this old is no baseline for a jump (decision 55). */
const BASELINE_DAYS = 7

/** A candidate and what the guard thinks of it in this cycle. */
export interface Judged {
  candidate: Candidate
  /** What the guard knows of the source, this cycle's reading included. */
  source: SourceMemory
  /** The value in effect as this source would say it; null when there is none. */
  baseline: Level | null
  /** The rule that suspects it. */
  suspicion: Rule | null
  /** A suspicion that an independent source, an operator or repetition has lifted. */
  freed: boolean
  frozen: boolean
}

/** Judges a candidate as its source would say the value in effect. */
export function judge(
  candidate: Candidate,
  current: Current | null,
  memory: GuardMemory,
  now: Instant,
): Judged {
  const source = memory.sources.find(({ name }) => name === candidate.source)!
  const baseline = current && (current.source === source.name ? current : shifted(current, source))

  return {
    candidate,
    source,
    baseline,
    suspicion: suspicionOf(candidate, baseline, current, now),
    freed: false,
    frozen: isFrozen(source, memory, limitsOf(candidate.pair), now),
  }
}

/** The first rule that suspects a candidate, measured from a baseline. */
export function suspicionOf(
  candidate: Candidate,
  baseline: Level | null,
  current: Current | null,
  now: Instant,
): Rule | null {
  const subject = {
    ...candidate,
    limits: limitsOf(candidate.pair),
    baseline,
    stale: current !== null && now - current.lastScrapedAt > BASELINE_DAYS * DAY_MS,
    stoodHours: current ? (now - current.updatedAt) / HOUR_MS : 0,
  }
  return RULES.find((rule) => rule.suspects(subject)) ?? null
}

/** Whether the candidate may be published or speak for the value in effect. */
export function isGood({ suspicion, freed, frozen }: Judged): boolean {
  return (!suspicion || freed) && !frozen
}
