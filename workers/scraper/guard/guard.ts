/**
 * The guard: between what sources say and what is published. Pure: it knows no clock, no network
 * and no table.
 */
import { numberToPrice } from '../../../shared/market/price.ts'
import type { Candidate } from '../pairs/pair-source.ts'
import type { AcceptInput, Decision, Held } from './decision.ts'
import { learn, recordReadings } from './learn.ts'
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
import { chooseSpeaker, type Evaluated, isApart, isLeftBehind, isNews } from './speaker.ts'
import { type Context, isKnown, subjectOf } from './subject.ts'
import { type Ballot, ballotLine, ballotOf, isBelieved, isCopied, reasonOf } from './terms.ts'
import { FRESH_MS, NOTABLE, RESTLESS_MS } from './weights.ts'

export type { AcceptInput, Current, Decision, MarketValue, Override } from './decision.ts'
export type { GuardMemory } from './memory.ts'

/** No pair is near it, and what memory derives from a price below it is a safe integer. */
const NO_PRICE = numberToPrice(1_000_000_000)

/** A claim goes on while it is revised by less than this share of its step. */
const REVISION = 0.5

/**
 * Decides what to publish of a pair in this cycle: the reading of the first source whose ballot reaches
 * the threshold (terms.ts), if it is news (speaker.ts).
 */
export function accept(input: AcceptInput): Decision {
  const { pair, current, market = [], override, now } = input
  const stored = recall(input.memory)
  if (input.candidates.length === 0 && input.failed.length === 0)
    return nothingRequested(stored, pair)

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
      speaker: known.speaker ?? (current && { name: current.source, anchor: null }),
    },
  }
  const alone = candidates.map((candidate) => evaluate(candidate, context))
  const sources = read.map((one) => latest(one, alone))
  const evaluated = alone.map((one) => {
    const leftBehind = isLeftBehind(one.source, sources, context)
    return { ...one, source: { ...one.source, leftBehind } }
  })
  const memory = { ...context.memory, sources: read.map((one) => latest(one, evaluated)) }
  const names = new Set(evaluated.map(({ source }) => source.name))
  const { speaker, speaks } = chooseSpeaker(evaluated, memory, context)
  const publish =
    speaks && isNews(speaks, speaker?.anchor ?? null, { ...context, memory }) ? speaks : null
  const held = toHold(evaluated, speaks, context) ?? silentHold(memory, names, context)
  const next: GuardMemory = {
    ...memory,
    speaker: publish ? { name: publish.source.name, anchor: null } : speaker,
    held: held && { name: held.candidate.source, reason: held.reason },
    restlessAt: held ? now : memory.restlessAt,
    inEffect: levelOf(publish?.candidate ?? current),
  }
  const isGood = ({ believed, source }: Evaluated) =>
    believed && !source.leftBehind && !isApart(source, context)
  const confirms = speaks ?? evaluated.find(isGood)
  const learned = learn(next, context, {
    believed: new Set(evaluated.filter((one) => one.believed).map(({ source }) => source.name)),
    read: names,
    isCalm: held === null && publish === null,
  })

  return {
    publish: publish?.candidate ?? null,
    confirmed: confirms !== undefined,
    held,
    source: confirms?.source.name ?? null,
    needsFallback: !speaks || held !== null || (!current && standsAlone(evaluated)),
    memory: remember(publish ? published(learned, publish, context) : learned),
  }
}

/**
 * Takes back what a wrong value did, once an operator corrected it: it left nobody behind, and the
 * speaker's reading is news though it is the same.
 */
function afterCorrection(memory: GuardMemory, current: AcceptInput['current']): GuardMemory {
  const { inEffect, speaker, sources } = memory
  if (!inEffect || !current || isSameLevel(inEffect, current)) return memory
  return {
    ...memory,
    speaker: speaker && { ...speaker, anchor: null },
    sources: sources.map((one) => ({ ...one, leftBehind: false })),
  }
}

type WithBallot = Evaluated & { ballot: Ballot }

function latest(source: SourceMemory, evaluated: readonly Evaluated[]): SourceMemory {
  return evaluated.find((one) => one.source.name === source.name)?.source ?? source
}

/** Whether a reading is believed, by its ballot and by how long its claim has stood. */
function evaluate(candidate: Candidate, context: Context): WithBallot {
  const known = context.memory.sources.find(({ name }) => name === candidate.source)!
  const subject = subjectOf(known, context)
  const { moved, side } = subject
  const goesOn =
    Math.abs(known.claim[side] / MILLION - moved[side]) <= REVISION * Math.abs(moved[side])
  const claim = goesOn ? known.claim : { ...mapSides((one) => millionths(moved[one])), minutes: 0 }
  const source = { ...known, copied: known.copied || isCopied(subject), claim }
  const isInEffect = context.current !== null && isSameLevel(context.current, candidate)
  const ballot = ballotOf({ ...subject, source, minutes: claim.minutes })
  const believed = isInEffect || isBelieved(ballot)
  return {
    candidate,
    ballot,
    believed,
    wasDoubted: known.doubted,
    source: { ...source, doubted: !believed },
  }
}

/**
 * The reading to hold: of a source that comes before the speaker, or that changed after the speaker
 * and has stood for an hour. What a source said before the value in effect was seen is no news.
 */
function toHold(
  evaluated: readonly WithBallot[],
  speaks: Evaluated | null,
  { current, now }: Context,
): Held | null {
  const turn = speaks
    ? evaluated.findIndex((one) => one.source === speaks.source)
    : evaluated.length
  const held = evaluated.find(({ believed, source, wasDoubted }, index) => {
    const isNew = wasDoubted || !current || source.since > current.updatedAt
    const isLater = source.sameDefinition && source.since > (speaks?.source.since ?? 0)
    const mayBeMissed = isLater && now - source.since >= RESTLESS_MS
    return !believed && !source.leftBehind && isNew && (index < turn || mayBeMissed)
  })
  if (!held) return null
  const { candidate, ballot } = held
  return { candidate, reason: reasonOf(ballot), ballot: ballotLine(ballot) }
}

/** What is held stays so while its source is not read for a while. */
function silentHold(memory: GuardMemory, read: ReadonlySet<string>, context: Context) {
  const { held, sources } = memory
  const source = sources.find(({ name }) => name === held?.name)
  const isSilent = source && !read.has(source.name)
  const isFresh = source && Math.abs(context.now - source.seenAt) <= FRESH_MS
  return isSilent && isFresh ? stillHeld(memory, context.pair) : null
}

/** What is known once a value is published: in its source's terms. */
function published(
  memory: GuardMemory,
  { candidate, source }: Evaluated,
  context: Context,
): GuardMemory {
  const { current, now } = context
  const isNotable = current !== null && widest(current, candidate) >= NOTABLE
  const { samples } = source.habits
  const isNew = !isKnown(source, context)
  return {
    ...memory,
    restlessAt: isNotable ? now : memory.restlessAt,
    definedBy: source.name,
    // Where an unknown source stands, all the others stand elsewhere than was known.
    sources: memory.sources.map((one) => {
      const wasDefiner = one.name === context.memory.definedBy
      const known = wasDefiner ? Math.max(one.habits.samples, samples) : one.habits.samples
      return { ...one, habits: { ...one.habits, samples: isNew ? 0 : known } }
    }),
  }
}

/** One candidate a source, with numbers that can be prices, of as many sources as memory holds. */
function usable(candidates: readonly Candidate[]): Candidate[] {
  return candidates
    .filter(
      (candidate, index) =>
        SIDES.every((side) => isPrice(candidate[side])) &&
        candidates.findIndex(({ source }) => source === candidate.source) === index,
    )
    .slice(0, MOST_SOURCES)
}

/** Zeros, negatives, broken numbers and thousands of millions are no quote at all: not even held. */
function isPrice(price: number): boolean {
  return Number.isSafeInteger(price) && price > 0 && price < NO_PRICE
}

function standsAlone(evaluated: readonly Evaluated[]): boolean {
  return new Set(evaluated.map(({ candidate }) => candidate.provenance)).size < 2
}

function levelOf(value: { buy: number; sell: number } | null) {
  return value && { buy: value.buy, sell: value.sell }
}

/** A cycle in which no source of the pair was due: everything stays as it is. */
function nothingRequested(memory: GuardMemory, pair: AcceptInput['pair']): Decision {
  return {
    publish: null,
    confirmed: false,
    held: stillHeld(memory, pair),
    source: null,
    needsFallback: false,
    memory,
  }
}

function stillHeld({ held, sources }: GuardMemory, pair: AcceptInput['pair']): Held | null {
  const source = sources.find(({ name }) => name === held?.name)
  if (!held || !source) return null
  const { name, provenance, sameDefinition, onlySell, buy, sell } = source
  const candidate = { pair, source: name, provenance, sameDefinition, onlySell, buy, sell }
  return { candidate, reason: held.reason, ballot: null }
}
