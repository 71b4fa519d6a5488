/**
 * Undoing: a published value that is taken back within a day taught the guard wrong things. What
 * was known before it was published comes back then.
 */
import { DAY_MS, type Instant } from '../../../../shared/argentine-time.ts'
import type { Current } from '../decision.ts'
import { isSameLevel, type Level, widest } from './levels.ts'
import type { Limits } from '../rules/limits.ts'
import type { GuardMemory } from './memory.ts'
import { noiseFloor } from './noise.ts'

/** Back where it was: within a third of the step. */
const BACK = 1 / 3

/** Notable: a step by which a fault could have been published. */
export function isNotable(from: Level, to: Level, limits: Limits): boolean {
  return widest(from, to) >= noiseFloor(limits)
}

/** Remembers what is known before a notable change; an earlier checkpoint of the day stays. */
export function keepCheckpoint(
  memory: GuardMemory,
  current: Current,
  to: Level,
  limits: Limits,
  now: Instant,
): GuardMemory['checkpoint'] {
  const { checkpoint } = memory
  const isOld = !checkpoint || now - checkpoint.at > DAY_MS
  if (!isNotable(current, to, limits)) return isOld ? null : checkpoint
  if (!isOld) return checkpoint

  const { buy, sell } = current
  const usual = memory.sources.map(({ name, usual }) => ({ name, usual }))
  return {
    at: now,
    definedBy: memory.definedBy ?? current.source,
    buy,
    sell,
    usual,
    relatives: memory.relatives,
  }
}

/** The memory of a cycle that begins: without what an undone value taught. */
export function undoCorrected(memory: GuardMemory, current: Current | null): GuardMemory {
  const isCorrected = memory.inEffect && current && !isSameLevel(memory.inEffect, current)
  return isCorrected ? restore(memory) : memory
}

/** The memory once a value is published: without what was learned since, if that takes it back. */
export function undoReturned(
  memory: GuardMemory,
  from: Level,
  to: Level,
  now: Instant,
): GuardMemory {
  const { checkpoint } = memory
  if (!checkpoint || now - checkpoint.at > DAY_MS) return memory

  const isReturn = widest(checkpoint, to) <= BACK * widest(checkpoint, from)
  return isReturn ? restore(memory) : memory
}

function restore(memory: GuardMemory): GuardMemory {
  const { checkpoint } = memory
  if (!checkpoint) return memory

  const known = new Map(checkpoint.usual.map(({ name, usual }) => [name, usual]))
  return {
    ...memory,
    sources: memory.sources.map((source) => ({
      ...source,
      usual: known.get(source.name) ?? { ...source.usual, samples: 0 },
    })),
    relatives: checkpoint.relatives,
    definedBy: checkpoint.definedBy,
    checkpoint: null,
  }
}
