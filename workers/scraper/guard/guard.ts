/** The guard decides which readings of the sources are published. Pure functions. */
import type { Instant } from '../../../shared/argentine-time.ts'
import { numberToPrice, type Price } from '../../../shared/market/price.ts'
import type { Candidate } from '../pairs/derivation.ts'
import {
  chooseActive,
  type Evaluated,
  isApart,
  isGood,
  isLeftBehind,
  isNews,
} from './active-source.ts'
import { isBelieved, isCopied, reasonOf, scoreLine, scoreOf } from './evidence.ts'
import { type Context, type Current, factsOf, isFresh, isKnown } from './facts.ts'
import { learn, NOTABLE, recordReading, RESTLESS_MS } from './learn.ts'
import { isSameLevel, type Level, levelOf, mapSides, SIDES, widest } from './level.ts'
import { type GuardMemory, MILLION, millionths, MOST_SOURCES, type SourceMemory } from './memory.ts'

export interface Decision {
  /** The new value of the pair, or null when nothing changes. */
  publish: Quoted | null
  /** The value held back in this cycle. Null also ends an earlier hold. */
  held: Held | null
  /** The source that gave or confirmed the value in effect. Null when none did. */
  source: string | null
  /**
   * Whether the caller must also request the pair's documents that were not due, and call again
   * with the same memory and all candidates of the cycle. The last decision of a cycle is final.
   */
  needsFallback: boolean
  /** JSON-safe and bounded. The caller stores it and passes it to the next cycle. */
  memory: GuardMemory
}

/** A value and the source that gives it. */
export interface Quoted extends Level {
  source: string
}

/** A held value, for the quarantine table. */
interface Held extends Quoted {
  /** The strongest kind of evidence against the value when the hold began. */
  reason: string
  /** All evidence in one line, for the operator. Null in a cycle that did not read the source. */
  evidence: string | null
}

/** All prices are lower. For lower prices, all numbers derived in memory are safe integers. */
const NO_PRICE: Price = numberToPrice(1_000_000_000)

/** A source counts as at the same level while its distance changes by less than this share. */
const REVISION = 0.5

/**
 * Decides what to publish for a pair in this cycle: the reading of the active source
 * (active-source.ts), if its evidence reaches the threshold (evidence.ts) and it is a new value.
 * `candidates` are the readings so far, in the pair's order of preference.
 */
export function accept(candidates: readonly Candidate[], input: Context): Decision {
  const { current, now } = input
  const known = afterCorrection(input.memory, current)
  const read = candidates
    .filter((one) => SIDES.every((side) => isPrice(one[side])))
    .slice(0, MOST_SOURCES)
    .map((one) => recordReading(one, known.sources, now))
  const silent = known.sources
    .filter(({ name }) => !read.some((one) => one.name === name))
    .slice(0, MOST_SOURCES - read.length)
  const before: Context = {
    ...input,
    memory: {
      ...known,
      sources: [...read, ...silent],
      definedBy: known.definedBy ?? current?.source ?? null,
      active: known.active ?? (current && { name: current.source, anchor: null }),
    },
  }
  const scored = read.map((source) => evaluate(source, before))
  const sources = [...scored.map(({ source }) => source), ...silent]
  const evaluated = scored.map((one) => {
    const leftBehind = isLeftBehind(one.source, sources, before)
    return { ...one, source: { ...one.source, leftBehind } }
  })
  const latest = [...evaluated.map(({ source }) => source), ...silent]
  const memory = { ...before.memory, sources: latest }
  const context = { ...before, memory }

  const { active, chosen } = chooseActive(evaluated, context)
  const isNew = chosen && (chosen.accepted || isNews(chosen, active?.anchor ?? null, context))
  const publish = isNew ? quotedOf(chosen.source) : null
  const held = toHold(evaluated, chosen, now) ?? silentHold(context)
  const isNotable = publish && current && widest(current, publish) >= NOTABLE
  const inEffect = publish ?? current
  const next: GuardMemory = {
    ...memory,
    ...(isNew && {
      sources: redefined(chosen.source, context),
      definedBy: chosen.source.name,
    }),
    active: publish ? { name: publish.source, anchor: null } : active,
    held: held && { name: held.source, reason: held.reason },
    restlessAt: held || isNotable ? now : memory.restlessAt,
    inEffect: inEffect && levelOf(inEffect),
  }
  const confirms = chosen ?? evaluated.find((one) => isGood(one) && !isApart(one.source, context))

  return {
    publish,
    held,
    source: confirms?.source.name ?? null,
    needsFallback: !chosen || held !== null,
    memory: learn(next, context, held === null && publish === null),
  }
}

/**
 * After an operator's correction, sources that gave the wrong value are doubted, no source counts
 * as left behind, and the active source's reading counts as new even if it did not change.
 */
function afterCorrection(memory: GuardMemory, current: Current | null): GuardMemory {
  const { inEffect: wrong, active, sources } = memory
  if (!wrong || !current || isSameLevel(wrong, current)) return memory
  return {
    ...memory,
    active: active && { ...active, anchor: null },
    sources: sources.map((source) => {
      const doubted = source.doubted || isSameLevel(source, wrong)
      return { ...source, doubted, leftBehind: false }
    }),
  }
}

/** Evaluates a reading by its evidence and by how long its source has been at this level. */
function evaluate(known: SourceMemory, context: Context): Evaluated {
  const facts = factsOf(known, context)
  const { moved, side } = facts
  const isThere =
    Math.abs(known.away[side] / MILLION - moved[side]) <= REVISION * Math.abs(moved[side])
  const away = isThere ? known.away : { ...mapSides((one) => millionths(moved[one])), minutes: 0 }
  const source = { ...known, copied: known.copied || isCopied(facts), away }
  const score = scoreOf({ ...facts, source })
  const isInEffect = context.current !== null && isSameLevel(context.current, source)
  return {
    score,
    accepted: facts.decided === 'accepted' && !isInEffect,
    wasDoubted: known.doubted,
    source: { ...source, doubted: !isInEffect && !isBelieved(score) },
  }
}

/**
 * Holds the doubted reading of a source that precedes the active source, or that changed after the
 * active source and has not changed for an hour.
 */
function toHold(evaluated: readonly Evaluated[], chosen: Evaluated | null, now: Instant) {
  const turn = chosen ? evaluated.indexOf(chosen) : evaluated.length
  const held = evaluated.find(({ source }, index) => {
    const isLater = source.sameDefinition && source.since > (chosen?.source.since ?? 0)
    const mayBeMissed = isLater && now - source.since >= RESTLESS_MS
    return source.doubted && !source.leftBehind && (index < turn || mayBeMissed)
  })
  if (!held) return null
  const { source, score } = held
  return { ...quotedOf(source), reason: reasonOf(score), evidence: scoreLine(score) }
}

/** If the source of a hold is not read, the hold continues as long as the last reading counts. */
function silentHold({ memory: { held, sources }, now }: Context): Held | null {
  const source = sources.find(({ name }) => name === held?.name)
  if (!held || !source || source.seenAt === now || !isFresh(source, now)) return null
  return { ...quotedOf(source), reason: held.reason, evidence: null }
}

function quotedOf({ name, buy, sell }: SourceMemory): Quoted {
  return { source: name, buy, sell }
}

/** The sources after a source has published a value and so defines the value in effect. */
function redefined(by: SourceMemory, context: Context): SourceMemory[] {
  const { sources, definedBy } = context.memory
  return sources.map((one) => {
    const { name, habits } = one
    const samples = Math.max(habits.samples, name === definedBy ? by.habits.samples : 0)
    // If the offset of the new defining source was unknown, all other offsets are now unknown too.
    return { ...one, habits: { ...habits, samples: isKnown(by, context) ? samples : 0 } }
  })
}

/** A reading with a number that is zero, negative, broken or huge is ignored, not held. */
function isPrice(price: number): boolean {
  return Number.isSafeInteger(price) && price > 0 && price < NO_PRICE
}
