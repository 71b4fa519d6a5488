import type { Instant } from '../../../../shared/argentine-time.ts'
import type { Override } from '../decision.ts'
import { agrees, heldWitness, witnessOf } from './agreement.ts'
import type { Assessment } from '../assessment.ts'
import type { Level } from '../observe/levels.ts'
import { limitsOf } from '../rules/limits.ts'
import type { GuardMemory } from '../observe/memory.ts'
import { isFresh } from '../observe/rhythm.ts'
import { isNearby } from '../rules/jump.ts'

/** Clears the suspicious candidates that an independent source supports, now or a few cycles ago. */
export function clearAgreed(
  assessed: readonly Assessment[],
  { hold, sources }: GuardMemory,
  now: Instant,
): Assessment[] {
  const graver = assessed.filter(({ suspicion }) => suspicion?.release === 'operator')
  const witnesses = sources
    .filter((source) => isFresh(source, now))
    .filter(({ name }) => !graver.some(({ candidate }) => candidate.source === name))
    .map(witnessOf)
  if (hold) witnesses.push(heldWitness(hold, sources))

  return assessed.map((one) => {
    const mayBeFreed = one.suspicion && one.suspicion.release !== 'operator'
    const cleared = mayBeFreed && witnesses.some((witness) => agrees(one, witness))
    return cleared ? { ...one, cleared } : one
  })
}

/** Clears the suspicious candidates that an operator accepted. */
export function clearOverridden(
  assessed: readonly Assessment[],
  override: Override | null,
): Assessment[] {
  return assessed.map((one) =>
    one.suspicion && isOverride(override, 'accepted', one) ? { ...one, cleared: true } : one,
  )
}

/** Whether an override concerns this level, within a usual step. */
export function isOverride(
  word: Override | null,
  verdict: Override['verdict'],
  { candidate }: { candidate: Level & Pick<Assessment['candidate'], 'pair'> },
): boolean {
  return word?.verdict === verdict && isNearby(word, candidate, limitsOf(candidate.pair))
}
