/**
 * Undoing: a published value that is taken back within a day taught the guard wrong things. What was
 * known before it was published comes back then.
 */
import { DAY_MS, type Instant } from '../../../../shared/argentine-time.ts'
import type { Current } from '../decision.ts'
import { isSameLevel, type Level, widest } from '../level.ts'
import type { GuardMemory } from '../memory.ts'
import { NOTABLE } from '../weights.ts'

/** Back where it was: within a third of the step. */
const BACK = 1 / 3

/** The memory of a cycle that begins: without what an undone value taught. */
export function undoCorrected(memory: GuardMemory, current: Current | null): GuardMemory {
  const isCorrected = memory.inEffect && current && !isSameLevel(memory.inEffect, current)
  if (!isCorrected) return memory
  // The speaker begins anew: its reading, unchanged, is news beside another value.
  const { speaker } = memory
  return { ...restore(memory), speaker: speaker && { ...speaker, anchor: null } }
}

/** The memory once `to` is published: what a notable step takes back is forgotten, a new one noted. */
export function noteChange(
  memory: GuardMemory,
  from: Current,
  to: Level,
  now: Instant,
): GuardMemory {
  const { checkpoint } = memory
  const isOld = !checkpoint || now - checkpoint.at > DAY_MS
  if (!isOld && widest(checkpoint, to) <= BACK * widest(checkpoint, from)) {
    return { ...restore(memory), restlessAt: now }
  }
  if (widest(from, to) < NOTABLE) return isOld ? { ...memory, checkpoint: null } : memory
  if (!isOld) return { ...memory, restlessAt: now }

  const habits = memory.sources.map(({ name, habits }) => ({ name, habits }))
  const { buy, sell } = from
  const { relatives } = memory
  return { ...memory, restlessAt: now, checkpoint: { at: now, buy, sell, habits, relatives } }
}

function restore(memory: GuardMemory): GuardMemory {
  const { checkpoint } = memory
  if (!checkpoint) return memory

  const known = new Map(checkpoint.habits.map(({ name, habits }) => [name, habits]))
  return {
    ...memory,
    sources: memory.sources.map((source) => ({
      ...source,
      habits: known.get(source.name) ?? { ...source.habits, samples: 0 },
    })),
    relatives: checkpoint.relatives,
    checkpoint: null,
  }
}
