import type { Instant } from '../../../../shared/argentine-time.ts'
import type { OperatorWord } from '../decision.ts'
import { agrees, heldWitness, witnessOf } from './agreement.ts'
import type { Judged } from '../judged.ts'
import type { Level } from '../observe/levels.ts'
import { limitsOf } from '../rules/limits.ts'
import type { GuardMemory } from '../observe/memory.ts'
import { isFresh } from '../observe/rhythm.ts'
import { isNearby } from '../rules/jump.ts'

/** Frees the suspicious candidates that an independent source supports, now or a few cycles ago. */
export function freeAgreed(
  judged: readonly Judged[],
  { hold, sources }: GuardMemory,
  now: Instant,
): Judged[] {
  const graver = judged.filter(({ suspicion }) => suspicion?.release === 'operator')
  const witnesses = sources
    .filter((source) => isFresh(source, now))
    .filter(({ name }) => !graver.some(({ candidate }) => candidate.source === name))
    .map(witnessOf)
  if (hold) witnesses.push(heldWitness(hold, sources))

  return judged.map((one) => {
    const mayBeFreed = one.suspicion && one.suspicion.release !== 'operator'
    const freed = mayBeFreed && witnesses.some((witness) => agrees(one, witness))
    return freed ? { ...one, freed } : one
  })
}

/** Frees the suspicious candidates that the operator accepted: what is published is not held. */
export function freeAccepted(judged: readonly Judged[], operator: OperatorWord | null): Judged[] {
  return judged.map((one) =>
    one.suspicion && isWordOn(operator, 'accepted', one) ? { ...one, freed: true } : one,
  )
}

/** Whether an operator's word is about this level, give or take a usual step. */
export function isWordOn(
  word: OperatorWord | null,
  verdict: OperatorWord['verdict'],
  { candidate }: { candidate: Level & Pick<Judged['candidate'], 'pair'> },
): boolean {
  return word?.verdict === verdict && isNearby(word, candidate, limitsOf(candidate.pair))
}
