import { agrees, witnessOf } from './agreement.ts'
import { confirms } from './consistency.ts'
import type { AcceptInput } from '../decision.ts'
import { firstValue } from './first-value.ts'
import { freeAgreed, isWordOn } from './free.ts'
import { type Judged, type JudgeContext, plainSuspicion } from '../judged.ts'
import type { GuardMemory } from '../observe/memory.ts'
import { isNews } from '../news.ts'
import { isBasisKnown } from '../observe/basis.ts'
import { jump } from '../rules/jump.ts'
import type { Rule } from '../rules/rule.ts'
import { giveTurn, takeTurn, type Turn } from './turn.ts'

export interface Choice extends Turn {
  /** A candidate to hold although no rule suspects it by itself. */
  doubted: Judged | null
}

/** Who speaks for the pair: whom the operator believes, the first voice, or whose turn it is. */
export function chooseSpeaker(
  { failed, operator }: Pick<AcceptInput, 'failed' | 'operator'>,
  context: JudgeContext,
  judged: readonly Judged[],
): Choice {
  const { current, memory } = context
  const accepted = judged.find((one) => one.suspicion && isWordOn(operator, 'accepted', one))
  if (accepted) return { ...giveTurn(accepted), doubted: null }

  if (!current) {
    const { speaker, doubted } = firstValue(judged, memory.hold)
    return { ...(speaker ? giveTurn(speaker) : { turn: null, speaker }), doubted }
  }

  const overruled = isOverruled(judged, memory)
  return doubtNews(takeTurn(memory.turn, { judged, failed, current, overruled }), context)
}

/**
 * A known basis explains why a source stands apart; it is no licence to publish it. News must also
 * be in range of the value in effect itself, or an independent source must say it too.
 */
function doubtNews({ turn, speaker }: Turn, context: JudgeContext): Choice {
  const { current, memory, now } = context
  if (!speaker || !current || speaker.freed || !isNews(speaker, context, turn?.anchor ?? null)) {
    return { turn, speaker, doubted: null }
  }
  const suspicion = plainSuspicion(speaker.candidate, context)
  if (!suspicion || isExplained(suspicion, speaker)) return { turn, speaker, doubted: null }

  const [doubted] = freeAgreed([{ ...speaker, baseline: current, suspicion }], memory, now)
  return doubted!.freed
    ? { turn, speaker: doubted!, doubted: null }
    : { turn, speaker: null, doubted: doubted! }
}

/** A basis is capped for sources of the pair's definition: it accounts for a step beyond the usual. */
function isExplained({ name }: Rule, { candidate, source }: Judged): boolean {
  return name === jump.name && candidate.sameDefinition && isBasisKnown(source.usual)
}

/** Whether two independent sources agree on a new value, and the source in use says the old one. */
function isOverruled(judged: readonly Judged[], { turn }: GuardMemory): boolean {
  const inUse = judged.find(({ candidate }) => candidate.source === turn?.source)
  if (!inUse || !confirms(inUse)) return false

  return judged.some((one) => one.freed && !agrees(one, witnessOf(inUse.source)))
}
