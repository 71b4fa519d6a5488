/** The guard decides which readings of the sources are published. Pure. */
import type { Instant } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { numberToPrice, type Price } from '../../../shared/market/price.ts'
import type { Candidate } from '../pairs/derivation.ts'
import { chooseActive, type Evaluated, isApart, isLeftBehind, isNews } from './active-source.ts'
import { isBelieved, isCopied, reasonOf, scoreLine, scoreOf } from './evidence.ts'
import {
  type Context,
  type Current,
  factsOf,
  isFresh,
  isKnown,
  type MarketValue,
  type Override,
} from './facts.ts'
import { learn, NOTABLE, recordReadings, RESTLESS_MS } from './learn.ts'
import { isSameLevel, SIDES, widest } from './level.ts'
import {
  type GuardMemory,
  mapSides,
  MILLION,
  millionths,
  MOST_SOURCES,
  recall,
  remember,
  type SourceMemory,
} from './memory.ts'

export interface AcceptInput {
  pair: Pair
  /** Null for a pair that was never quoted. */
  current: Current | null
  /** `Decision.memory` of the pair's last cycle, as storage gave it back; it may be malformed. */
  memory: unknown
  /** From the sources requested so far in this cycle, in the pair's order of preference. */
  candidates: readonly Candidate[]
  /** `Candidate.source` names of those that were requested (or could not be derived) and failed. */
  failed: readonly string[]
  override: Override | null
  /** The values in effect of all pairs; the pair's own is ignored. */
  market?: readonly MarketValue[]
  now: Instant
}

/** A held value, for the quarantine table. */
export interface Held {
  candidate: Candidate
  /** The kind of evidence that speaks most against the value. It stays for as long as the hold. */
  reason: string
  /** All the evidence in one line, for the operator. Null in a cycle without its source. */
  evidence: string | null
}

export interface Decision {
  /** The new value of the pair, or null when nothing changes. */
  publish: Candidate | null
  /** Whether `lastScrapedAt` moves. True also with `publish`. */
  confirmed: boolean
  /** The value held back in this cycle; null means that an earlier hold is over. */
  held: Held | null
  /** The source that confirmed the value: what the status read shows. Null when nobody did. */
  source: string | null
  /**
   * Request the pair's documents that were not due, and call again with the same memory and all
   * candidates of the cycle. The last decision of a cycle is final.
   */
  needsFallback: boolean
  /** JSON-safe and bounded: store it and hand it back in the next cycle. */
  memory: GuardMemory
}

export type { Current, MarketValue, Override } from './facts.ts'

/** No pair costs as much. For lower prices all numbers derived in memory are safe integers. */
const NO_PRICE: Price = numberToPrice(1_000_000_000)

/** A source counts as equally far away while its distance changes by less than this share. */
const REVISION = 0.5

/**
 * Decides what to publish of a pair in this cycle: the reading of the active source
 * (active-source.ts), if its evidence reaches the threshold (evidence.ts) and it is news.
 */
export function accept(input: AcceptInput): Decision {
  const { pair, current, market = [], override, now } = input
  const stored = recall(input.memory)
  if (input.candidates.length === 0 && input.failed.length === 0) return unread(stored, pair)

  const candidates = usable(input.candidates)
  const known = afterCorrection(stored, current)
  const read = recordReadings(known.sources, candidates, now)
  const context: Context = {
    pair,
    current,
    market,
    override,
    now,
    memory: {
      ...known,
      sources: read,
      definedBy: known.definedBy ?? current?.source ?? null,
      active: known.active ?? (current && { name: current.source, anchor: null }),
    },
  }
  const scored = candidates.map((candidate) => evaluate(candidate, context))
  const sources = withLatest(read, scored)
  const evaluated = scored.map((one) => {
    const leftBehind = isLeftBehind(one.source, sources, context)
    return { ...one, source: { ...one.source, leftBehind } }
  })
  const memory = { ...context.memory, sources: withLatest(read, evaluated) }
  const { active, chosen } = chooseActive(evaluated, memory, context)
  const isNew = chosen && isNews(chosen, active?.anchor ?? null, { ...context, memory })
  const publish = isNew || chosen?.accepted ? chosen : null
  const held = toHold(evaluated, chosen, context) ?? silentHold(memory, evaluated, context)
  const inEffect = publish?.candidate ?? current
  const next: GuardMemory = {
    ...memory,
    active: publish ? { name: publish.source.name, anchor: null } : active,
    held: held && { name: held.candidate.source, reason: held.reason },
    restlessAt: held ? now : memory.restlessAt,
    inEffect: inEffect && { buy: inEffect.buy, sell: inEffect.sell },
  }
  const isGood = ({ believed, source }: Evaluated) =>
    believed && !source.leftBehind && !isApart(source, context)
  const confirms = chosen ?? evaluated.find(isGood)
  const learned = learn(next, context, evaluated, held === null && publish === null)
  const isAlone = new Set(candidates.map(({ provenance }) => provenance)).size < 2

  return {
    publish: publish?.candidate ?? null,
    confirmed: confirms !== undefined,
    held,
    source: confirms?.source.name ?? null,
    needsFallback: !chosen || held !== null || (!current && isAlone),
    memory: remember(publish ? afterPublishing(learned, publish, context) : learned),
  }
}

/**
 * After an operator's correction the sources that gave the wrong value are doubted, they leave no
 * other source behind, and the active source's reading counts as new even if it did not change.
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

function withLatest(sources: readonly SourceMemory[], evaluated: readonly Evaluated[]) {
  return sources.map(
    (source) => evaluated.find((one) => one.source.name === source.name)?.source ?? source,
  )
}

/** Whether a reading is believed, by its evidence and by how long its source is at that level. */
function evaluate(candidate: Candidate, context: Context): Evaluated {
  const known = context.memory.sources.find(({ name }) => name === candidate.source)!
  const facts = factsOf(known, context)
  const { moved, side } = facts
  const isThere =
    Math.abs(known.away[side] / MILLION - moved[side]) <= REVISION * Math.abs(moved[side])
  const away = isThere ? known.away : { ...mapSides((one) => millionths(moved[one])), minutes: 0 }
  const source = { ...known, copied: known.copied || isCopied(facts), away }
  const score = scoreOf({ ...facts, source, minutes: away.minutes })
  const isInEffect = context.current !== null && isSameLevel(context.current, candidate)
  const believed = isInEffect || isBelieved(score)
  return {
    candidate,
    score,
    believed,
    accepted: facts.decided === 'accepted' && !isInEffect,
    wasDoubted: known.doubted,
    source: { ...source, doubted: !believed },
  }
}

/**
 * Holds the reading of a source that precedes the active one, or that changed after it and has been
 * unchanged for an hour. A reading older than the value in effect is not held.
 */
function toHold(
  evaluated: readonly Evaluated[],
  chosen: Evaluated | null,
  { current, now }: Context,
): Held | null {
  const turn = chosen
    ? evaluated.findIndex((one) => one.source === chosen.source)
    : evaluated.length
  const held = evaluated.find(({ believed, source, wasDoubted }, index) => {
    const isNew = wasDoubted || !current || source.since > current.updatedAt
    const isLater = source.sameDefinition && source.since > (chosen?.source.since ?? 0)
    const mayBeMissed = isLater && now - source.since >= RESTLESS_MS
    return !believed && !source.leftBehind && isNew && (index < turn || mayBeMissed)
  })
  if (!held) return null
  const { candidate, score } = held
  return { candidate, reason: reasonOf(score), evidence: scoreLine(score) }
}

/** While its source is not read, a hold goes on for as long as the source's last reading counts. */
function silentHold(
  memory: GuardMemory,
  evaluated: readonly Evaluated[],
  { pair, now }: Context,
): Held | null {
  const source = memory.sources.find(({ name }) => name === memory.held?.name)
  const isRead = evaluated.some((one) => one.source.name === source?.name)
  return source && !isRead && isFresh(source, now) ? stillHeld(memory, pair) : null
}

function stillHeld({ held, sources }: GuardMemory, pair: Pair): Held | null {
  const source = sources.find(({ name }) => name === held?.name)
  if (!held || !source) return null
  const { name, provenance, sameDefinition, onlySell, buy, sell } = source
  const candidate = { pair, source: name, provenance, sameDefinition, onlySell, buy, sell }
  return { candidate, reason: held.reason, evidence: null }
}

/** From now on the value in effect has the definition of the source that gave it. */
function afterPublishing(
  memory: GuardMemory,
  { candidate, source }: Evaluated,
  context: Context,
): GuardMemory {
  const { current, now } = context
  const isNotable = current !== null && widest(current, candidate) >= NOTABLE
  const samplesOf = ({ name, habits }: SourceMemory) => {
    // If this source's offset was unknown, the offsets of all other sources are unknown now too.
    if (!isKnown(source, context)) return 0
    const wasDefiner = name === context.memory.definedBy
    return wasDefiner ? Math.max(habits.samples, source.habits.samples) : habits.samples
  }
  return {
    ...memory,
    restlessAt: isNotable ? now : memory.restlessAt,
    definedBy: source.name,
    sources: memory.sources.map((one) => ({
      ...one,
      habits: { ...one.habits, samples: samplesOf(one) },
    })),
  }
}

/**
 * The first candidate of each source, for at most `MOST_SOURCES` sources. Drops zero, negative,
 * broken and huge numbers: they are not even held.
 */
function usable(candidates: readonly Candidate[]): Candidate[] {
  return candidates
    .filter(
      (one, index) =>
        SIDES.every(
          (side) => Number.isSafeInteger(one[side]) && one[side] > 0 && one[side] < NO_PRICE,
        ) && candidates.findIndex(({ source }) => source === one.source) === index,
    )
    .slice(0, MOST_SOURCES)
}

/** A cycle in which no source of the pair was due: everything stays as it is. */
function unread(memory: GuardMemory, pair: Pair): Decision {
  return {
    publish: null,
    confirmed: false,
    held: stillHeld(memory, pair),
    source: null,
    needsFallback: false,
    memory,
  }
}
