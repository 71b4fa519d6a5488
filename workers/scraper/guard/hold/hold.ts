import { type Instant } from '../../../../shared/argentine-time.ts'
import { contradicts } from '../select/consistency.ts'
import type { OperatorWord } from '../decision.ts'
import { isWordOn } from '../select/free.ts'
import type { Judged } from '../judged.ts'
import { limitsOf } from '../rules/limits.ts'
import type { HoldMemory, TurnMemory } from '../observe/memory.ts'
import { countHold, isRepeated, silentHold } from './repetition.ts'

/**
 * The candidate to hold: a suspicious one of the source in use or of a better one. What fallbacks
 * say meanwhile is nobody's business until it is their turn.
 */
export function toHold(
  judged: readonly Judged[],
  turn: TurnMemory | null,
  hold: HoldMemory | null,
): Judged | null {
  const inUse = judged.findIndex(({ candidate }) => candidate.source === turn?.source)
  const suspects = judged
    .slice(0, inUse < 0 ? judged.length : inUse + 1)
    .filter(({ suspicion, freed, frozen }) => {
      // The old value of a frozen source is no jump: the others left it behind.
      return suspicion && !freed && !(frozen && suspicion.release === 'repetition')
    })

  return suspects.find(({ candidate }) => candidate.source === hold?.source) ?? suspects[0] ?? null
}

/** The hold after this cycle. */
export function nextHold(
  hold: HoldMemory | null,
  held: Judged | null,
  judged: readonly Judged[],
  now: Instant,
): HoldMemory | null {
  if (held) return countHold(hold, held, now)

  const wasHeard = judged.some(({ candidate }) => candidate.source === hold?.source)
  return hold && !wasHeard ? silentHold(hold) : null
}

/** Whether repetition alone frees a held value: nothing graver, nobody against it. */
export function isFreedByRepetition(
  held: Judged,
  hold: HoldMemory,
  {
    judged,
    operator,
    now,
  }: { judged: readonly Judged[]; operator: OperatorWord | null; now: Instant },
): boolean {
  return (
    held.suspicion?.release === 'repetition' &&
    isRepeated(hold, held.baseline, limitsOf(held.candidate.pair)) &&
    !isWordOn(operator, 'rejected', held) &&
    !judged.some((other) => contradicts(other, held, now))
  )
}
