import { HOUR_MS } from '../../../../shared/argentine-time.ts'
import { isGood, type Assessment, type AssessmentContext } from '../assessment.ts'
import type { GuardMemory, SourceMemory } from './memory.ts'
import { forgetBasis, isBasisKnown, isLearnable, learnBasis } from './basis.ts'
import { learnRatios } from './relatives.ts'
import { includeSpread, learnSpread } from './spread.ts'

/** Nothing is learned in the hour after a hold or a notable change: it may be taken back. */
const RESTLESS_MS = HOUR_MS

/** Who froze stays so until it changes. */
export function noteLeftBehind(assessed: readonly Assessment[], memory: GuardMemory): GuardMemory {
  return mapHeard(assessed, memory, (source, { frozen }) => ({ ...source, leftBehind: frozen }))
}

/** What every cycle teaches: the spreads of the sources, which no single cycle moves far. */
export function learnSpreads(assessed: readonly Assessment[], memory: GuardMemory): GuardMemory {
  return mapHeard(assessed, memory, (source, one) => {
    const isSpread = one.suspicion?.name === 'unusual-spread'
    if (one.cleared && isSpread) {
      return { ...source, usual: includeSpread(source.usual, source) }
    }
    return isGood(one) || isSpread
      ? { ...source, usual: learnSpread(source.usual, source) }
      : source
  })
}

/** A source that was right against its basis has another one. */
export function forgetDisproved(assessed: readonly Assessment[], memory: GuardMemory): GuardMemory {
  return mapHeard(assessed, memory, (source, { cleared }) =>
    cleared ? { ...source, usual: forgetBasis(source.usual) } : source,
  )
}

/** What a calm cycle teaches: nothing is held, nothing changed, and the last hour was quiet. */
export function learnCalm(
  assessed: readonly Assessment[],
  memory: GuardMemory,
  { pair, current, market, now }: AssessmentContext,
): GuardMemory {
  if (!current || Math.abs(now - memory.restlessAt) < RESTLESS_MS) return memory

  const definedBy = memory.definedBy ?? current.source
  const learned = mapHeard(assessed, memory, (source, { frozen, suspicion }) => {
    // What stands apart from the first day on is doubted until its distance is known.
    const isUnknown = !isBasisKnown(source.usual) && suspicion?.release === 'repetition'
    const teaches = !frozen && (!suspicion || isUnknown) && source.name !== definedBy
    return teaches && isLearnable(source, current, pair)
      ? { ...source, usual: learnBasis(source, current) }
      : source
  })
  return { ...learned, relatives: learnRatios(memory.relatives, pair, current, market, now) }
}

function mapHeard(
  assessed: readonly Assessment[],
  memory: GuardMemory,
  learn: (source: SourceMemory, assessed: Assessment) => SourceMemory,
): GuardMemory {
  const sources = memory.sources.map((source) => {
    const one = assessed.find(({ candidate }) => candidate.source === source.name)
    return one ? learn(source, one) : source
  })
  return { ...memory, sources }
}
