import type { Current } from '../decision.ts'
import { isGood, type Assessment } from '../assessment.ts'
import type { ActiveSourceMemory } from '../observe/memory.ts'

/**
 * The source whose readings are published. It changes after three bad cycles (twelve quarter
 * misses), and a better one returns after four good ones. Sources of one pair differ in definition,
 * so each switch risks a change that the market did not make.
 */
const MOST_MISSES = 12
const FAILED = 4
/** It has its own rhythm: an hour without a question replaces it. */
const NOT_ASKED = 1
const GOOD_TO_RETURN = 4

export interface Cycle {
  /** In order of preference. */
  assessed: readonly Assessment[]
  failed: readonly string[]
  current: Current | null
  /** Two independent sources agree on a new value, and the source in use does not. */
  overruled: boolean
}

export interface Activation {
  activeSource: ActiveSourceMemory | null
  /** Its reading, if it may be published. */
  activeReading: Assessment | null
}

export function nextActive(memory: ActiveSourceMemory | null, cycle: Cycle): Activation {
  const activeSource = memory ?? firstActive(cycle)
  if (!activeSource) return { activeSource: null, activeReading: null }

  const inUse = cycle.assessed.find(({ candidate }) => candidate.source === activeSource.source)
  // A better source that a witness has just confirmed returns at once.
  const vindicated =
    inUse && cycle.assessed.slice(0, cycle.assessed.indexOf(inUse)).find(isVindicated)
  if (vindicated) return activate(vindicated)

  const isFit = inUse !== undefined && isGood(inUse) && !cycle.overruled
  if (isFit) return returnToBetter({ ...activeSource, misses: 0 }, inUse, cycle)

  const wasAsked = inUse !== undefined || cycle.failed.includes(activeSource.source)
  const lost = wasAsked ? FAILED : NOT_ASKED
  const next = cycle.assessed.find((assessed) => assessed !== inUse && isGood(assessed))
  // A frozen source was watched for long enough.
  const misses = inUse?.frozen ? MOST_MISSES : Math.min(activeSource.misses + lost, MOST_MISSES)
  if (misses >= MOST_MISSES && next) {
    const given = activate(next)
    // The market left a frozen source behind: the next one's level is a change.
    return inUse?.frozen
      ? { ...given, activeSource: given.activeSource && { ...given.activeSource, anchor: null } }
      : given
  }

  // A frozen source without a replacement still gives the last value.
  const activeReading =
    inUse && isGood({ ...inUse, frozen: false }) && !cycle.overruled ? inUse : null
  return { activeSource: { ...activeSource, misses }, activeReading }
}

/** Makes a source the active one. Where it stands now is no change by itself. */
export function activate(activeReading: Assessment): Activation {
  const { source, buy, sell } = activeReading.candidate
  return {
    activeSource: { source, misses: 0, returning: null, anchor: { buy, sell } },
    activeReading,
  }
}

function isVindicated(assessed: Assessment): boolean {
  return assessed.cleared && isGood(assessed)
}

function firstActive({ assessed, failed, current }: Cycle): ActiveSourceMemory | null {
  const names = [...assessed.map(({ candidate }) => candidate.source), ...failed]
  const known = current && names.includes(current.source) ? current.source : undefined
  const source = known ?? assessed.find(isGood)?.candidate.source ?? assessed[0]?.candidate.source
  return source === undefined ? null : { source, misses: 0, returning: null, anchor: null }
}

function returnToBetter(
  activeSource: ActiveSourceMemory,
  inUse: Assessment,
  { assessed, failed }: Cycle,
): Activation {
  const better = assessed.slice(0, assessed.indexOf(inUse)).find(isGood)
  if (!better) {
    const names = [...assessed.map(({ candidate }) => candidate.source), ...failed]
    const wasAsked =
      activeSource.returning !== null && names.includes(activeSource.returning.source)
    return {
      activeSource: { ...activeSource, returning: wasAsked ? null : activeSource.returning },
      activeReading: inUse,
    }
  }

  const { source } = better.candidate
  const good = activeSource.returning?.source === source ? activeSource.returning.good + 1 : 1
  if (good >= GOOD_TO_RETURN) return activate(better)

  return { activeSource: { ...activeSource, returning: { source, good } }, activeReading: inUse }
}
