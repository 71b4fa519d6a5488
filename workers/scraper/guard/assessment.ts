import { DAY_MS, HOUR_MS, type Instant } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import type { Candidate } from '../pairs/candidate.ts'
import type { Current, MarketValue } from './decision.ts'
import { isFrozen } from './observe/freeze.ts'
import { isSameLevel, type Level, widest } from './observe/levels.ts'
import { limitsOf } from './rules/limits.ts'
import type { GuardMemory, SourceMemory } from './observe/memory.ts'
import { shifted, unshifted } from './observe/basis.ts'
import { offRelatives } from './observe/relatives.ts'
import { isHeard } from './observe/rhythm.ts'
import { usualSpread } from './observe/spread.ts'
import type { Rule, Subject } from './rules/rule.ts'
import { RULES } from './rules/rules.ts'
import { contradicted } from './rules/contradicted.ts'
import { witnessesOf } from './select/witnesses.ts'

/** A value this old is no baseline for a jump (decision 55). */
const BASELINE_DAYS = 7

/** A candidate with the guard's findings of this cycle. */
export interface Assessment {
  candidate: Candidate
  /** What the guard knows of the source, this cycle's reading included. */
  source: SourceMemory
  /** The value in effect as this source would say it; null when there is none. */
  baseline: Level | null
  /** The rule that suspects it. */
  suspicion: Rule | null
  /** Whether a source of other provenance still says the old value, though it stood for long. */
  isContradicted: boolean
  /** An independent source, an override or repetition has lifted the suspicion. */
  cleared: boolean
  frozen: boolean
}

/** All that a reading is compared with. */
export interface AssessmentContext {
  pair: Pair
  current: Current | null
  memory: GuardMemory
  market: readonly MarketValue[]
  now: Instant
}

/** Compares a candidate with the value in effect, in the terms of its source. */
export function assess(candidate: Candidate, context: AssessmentContext): Assessment {
  const { current, memory } = context
  const source = memory.sources.find(({ name }) => name === candidate.source)!
  const baseline = current && (isDefinedBy(source, context) ? current : shifted(current, source))
  const subject = subjectOf(candidate, source, baseline, context)

  return {
    candidate,
    source,
    baseline,
    suspicion: isRestated(candidate, current)
      ? null
      : (lastingRule(candidate, memory) ?? firstSuspicion(subject)),
    isContradicted: contradicted.suspects({
      ...subject,
      witnesses: witnessesOf(source, memory.sources, context.pair, context.now, isHeard),
    }),
    cleared: false,
    frozen: isFrozen(source, context),
  }
}

/** Whether it says the value in effect itself, whatever basis was learned of its source. */
function isRestated(candidate: Candidate, current: Current | null): boolean {
  if (!current || candidate.buy > candidate.sell) return false
  return widest(current, candidate) <= limitsOf(candidate.pair).dispersion
}

/** Whether the value in effect is a word of this source, in its definition. */
function isDefinedBy({ name }: SourceMemory, { memory, current }: AssessmentContext): boolean {
  return name === (memory.definedBy ?? current?.source)
}

/** What the rules see of a candidate beside the value in effect as its source would say it. */
function subjectOf(
  candidate: Candidate,
  source: SourceMemory,
  baseline: Level | null,
  context: AssessmentContext,
): Subject {
  const { pair, memory, market, now } = context
  const before = baseline && offOf(baseline, source, context)
  const after = offOf(candidate, source, context)
  return {
    ...plainSubject(candidate, baseline, context),
    usualSpread: usualSpread(source.usual),
    before: [source.previous, source.rested],
    witnesses: witnessesOf(source, memory.sources, pair, now),
    relatives: before === null || after === null ? null : { before, after },
    others: market.filter((value) => pairKey(value.pair) !== pairKey(pair)),
  }
}

/** How far a level of a source stands from where the pair's relatives usually have it. */
export function offOf(
  level: Level,
  source: SourceMemory,
  { memory, market, now }: AssessmentContext,
): number | null {
  return offRelatives(unshifted(level, source).sell, memory.relatives, market, now)
}

/** The comparison with a level alone, nobody else asked. */
function plainSubject(
  candidate: Candidate,
  baseline: Level | null,
  { current, now }: AssessmentContext,
): Subject {
  return {
    ...candidate,
    limits: limitsOf(candidate.pair),
    baseline,
    stale: current !== null && now - current.lastScrapedAt > BASELINE_DAYS * DAY_MS,
    closedHours: current ? (now - current.lastScrapedAt) / HOUR_MS : 0,
    inEffect: current,
    usualSpread: null,
    before: [],
    witnesses: [],
    relatives: null,
    others: [],
  }
}

/** The rule that holds just this word already, if it lasts: where it is revised, it is judged anew. */
function lastingRule(candidate: Candidate, { hold }: GuardMemory): Rule | null {
  if (hold?.source !== candidate.source || !isSameLevel(hold, candidate)) return null

  return RULES.find(({ name, lasts }) => lasts && name === hold.reason) ?? null
}

function firstSuspicion(subject: Subject): Rule | null {
  return RULES.find((rule) => rule.suspects(subject)) ?? null
}

/** The rule that suspects a candidate beside the value in effect as it stands. */
export function plainSuspicion(candidate: Candidate, context: AssessmentContext): Rule | null {
  return firstSuspicion(plainSubject(candidate, context.current, context))
}

/** Whether the candidate may be published or speak for the value in effect. */
export function isGood({ suspicion, cleared, frozen }: Assessment): boolean {
  return (!suspicion || cleared) && !frozen
}
