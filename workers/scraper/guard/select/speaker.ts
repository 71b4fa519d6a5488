import type { Instant } from '../../../../shared/argentine-time.ts'
import { agrees, witnessOf } from './agreement.ts'
import { confirms } from './consistency.ts'
import type { AcceptInput, Current } from '../decision.ts'
import { firstValue } from './first-value.ts'
import { isWordOn } from './free.ts'
import { type Judged, suspicionOf } from '../judged.ts'
import type { GuardMemory } from '../observe/memory.ts'
import { isNews } from '../news.ts'
import { giveTurn, takeTurn, type Turn } from './turn.ts'

export interface Choice extends Turn {
  /** A candidate to hold although no rule suspects it by itself. */
  doubted: Judged | null
}

/** Who speaks for the pair: whom the operator believes, the first voice, or whose turn it is. */
export function chooseSpeaker(
  input: AcceptInput,
  memory: GuardMemory,
  judged: readonly Judged[],
): Choice {
  const { current, failed, operator, now } = input
  const accepted = judged.find((one) => one.suspicion && isWordOn(operator, 'accepted', one))
  if (accepted) return { ...giveTurn(accepted), doubted: null }

  if (!current) {
    const { speaker, doubted } = firstValue(judged, memory.hold)
    return { ...(speaker ? giveTurn(speaker) : { turn: null, speaker }), doubted }
  }

  const overruled = isOverruled(judged, memory)
  const turn = takeTurn(memory.turn, { judged, failed, current, overruled })
  return doubtNews(turn, current, now)
}

/**
 * A known gap explains why a source stands apart; it is no licence to publish the gap. News must
 * also be in range of the value in effect itself.
 */
function doubtNews({ turn, speaker }: Turn, current: Current, now: Instant): Choice {
  const isPlain = !speaker || speaker.freed || !isNews(speaker, current, turn?.anchor ?? null)
  const suspicion = isPlain ? null : suspicionOf(speaker.candidate, current, current, now)
  if (!speaker || !suspicion) return { turn, speaker, doubted: null }

  return { turn, speaker: null, doubted: { ...speaker, baseline: current, suspicion } }
}

/** Whether two independent sources agree on a new value, and the source in use says the old one. */
function isOverruled(judged: readonly Judged[], { turn }: GuardMemory): boolean {
  const inUse = judged.find(({ candidate }) => candidate.source === turn?.source)
  if (!inUse || !confirms(inUse)) return false

  return judged.some((one) => one.freed && !agrees(one, witnessOf(inUse)))
}
