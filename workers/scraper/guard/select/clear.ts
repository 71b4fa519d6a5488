import type { Instant } from '../../../../shared/argentine-time.ts'
import type { Override } from '../decision.ts'
import { agrees, heldWitness, witnessOf } from './agreement.ts'
import { type Assessment, type AssessmentContext, offOf } from '../assessment.ts'
import { type Level, widest } from '../observe/levels.ts'
import { limitsOf } from '../rules/limits.ts'
import type { GuardMemory } from '../observe/memory.ts'
import { isFresh } from '../observe/rhythm.ts'
import { contradicted } from '../rules/contradicted.ts'
import { isNearby, jump } from '../rules/jump.ts'

/** Rules that doubt a step for its size, and not for how its sides stand. */
const STEPS = [jump.name, contradicted.name]

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

/** The relatives bear a step out when they are nearer to its end by this share of it. */
const SHARE = 0.5

/**
 * Clears a step away from a source that froze. Nobody live speaks for the old value then, and the
 * pair's relatives stand where the step ends: its source is not the only one to say it.
 */
export function clearBorneOut(
  assessed: readonly Assessment[],
  context: AssessmentContext,
): Assessment[] {
  return assessed.map((one) => {
    const left = assessed.some(
      ({ candidate, frozen }) => frozen && candidate.provenance !== one.candidate.provenance,
    )
    const isStep = one.suspicion !== null && STEPS.includes(one.suspicion.name)
    return left && isStep && !one.frozen && !one.isContradicted && areRelativesFor(one, context)
      ? { ...one, cleared: true }
      : one
  })
}

function areRelativesFor(
  { candidate, source, baseline }: Assessment,
  context: AssessmentContext,
): boolean {
  const before = baseline && offOf(baseline, source, context)
  const after = offOf(candidate, source, context)
  if (!baseline || before === null || after === null) return false

  return Math.abs(before) - Math.abs(after) >= SHARE * widest(baseline, candidate)
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
