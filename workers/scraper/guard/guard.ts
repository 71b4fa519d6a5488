/**
 * The guard: between what sources say and what is published. Pure: it knows no clock, no network
 * and no table.
 */
import { numberToPrice } from '../../../shared/market/price.ts'
import type { Candidate } from '../pairs/candidate.ts'
import { type Ballot, ballotLine, ballotOf, isBelieved, reasonOf } from './ballot.ts'
import type { AcceptInput, Decision, Held } from './decision.ts'
import { hear } from './learn/hear.ts'
import { learn } from './learn/learn.ts'
import { noteChange, undoCorrected } from './learn/undo.ts'
import { isSameLevel, SIDES } from './level.ts'
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
import { chooseSpeaker, type Heard, isApart, isLeft, isNews } from './speaker.ts'
import { type Context, isKnown, subjectOf } from './subject.ts'
import { isCopied } from './terms/form.ts'
import { FRESH_MS, RESTLESS_MS } from './weights.ts'

export type { AcceptInput, Current, Decision, MarketValue, Override } from './decision.ts'
export { type GuardMemory, isHolding, lastWords } from './memory.ts'

/** No pair is near it, and what memory derives from a price below it is a safe integer. */
const NO_PRICE = numberToPrice(1_000_000_000)

/** A story goes on while it is revised by less than this share of its step. */
const REVISION = 0.5

/**
 * Decides what to publish of a pair in this cycle: the word of the first source whose ballot reaches
 * the threshold (ballot.ts), if it is news (speaker.ts).
 */
export function accept(input: AcceptInput): Decision {
  const { pair, current, market = [], override, now } = input
  const stored = recall(input.memory)
  if (input.candidates.length === 0 && input.failed.length === 0) return nothingAsked(stored, pair)

  const candidates = usable(input.candidates)
  const known = undoCorrected(stored, current)
  const told = hear(known.sources, candidates, now)
  const context: Context = {
    pair,
    current,
    market,
    override,
    now,
    memory: {
      ...known,
      sources: told,
      definedBy: known.definedBy ?? current?.source ?? null,
      speaker: known.speaker ?? (current && { name: current.source, anchor: null }),
    },
  }
  const judged = candidates.map((candidate) => judge(candidate, context))
  const sources = told.map((one) => latest(one, judged))
  const heard = judged.map((one) => {
    const left = isLeft(one.source, sources, context)
    return { ...one, source: { ...one.source, left } }
  })
  const memory = { ...context.memory, sources: told.map((one) => latest(one, heard)) }
  const names = new Set(heard.map(({ source }) => source.name))
  const { speaker, speaks } = chooseSpeaker(heard, memory, context)
  const publish =
    speaks && isNews(speaks, speaker?.anchor ?? null, { ...context, memory }) ? speaks : null
  const held = toHold(heard, speaks, context) ?? silentHold(memory, names, context)
  const next: GuardMemory = {
    ...memory,
    speaker: publish ? { name: publish.source.name, anchor: null } : speaker,
    held: held && { name: held.candidate.source, reason: held.reason },
    restlessAt: held ? now : memory.restlessAt,
    inEffect: levelOf(publish?.candidate ?? current),
  }
  const isGood = (one: Judged) => one.believed && !one.source.left && !isApart(one.source, context)
  const believed = new Set(heard.filter((one) => one.believed).map(({ source }) => source.name))

  return {
    publish: publish?.candidate ?? null,
    confirmed: speaks !== null || heard.some(isGood),
    held,
    source: speaker?.name ?? null,
    needsFallback: !speaks || held !== null || (!current && standsAlone(heard)),
    memory: remember(
      publish
        ? published(
            learn(next, context, { believed, heard: names, isCalm: false }),
            publish,
            context,
          )
        : learn(next, context, { believed, heard: names, isCalm: held === null }),
    ),
  }
}

type Judged = Heard & { ballot: Ballot }

function latest(source: SourceMemory, judged: readonly Judged[]): SourceMemory {
  return judged.find((one) => one.source.name === source.name)?.source ?? source
}

/** Whether a word is believed, by its ballot and by how long its story has been told. */
function judge(candidate: Candidate, context: Context): Judged {
  const told = context.memory.sources.find(({ name }) => name === candidate.source)!
  const subject = subjectOf(told, context)
  const { moved, side } = subject
  const goesOn =
    Math.abs(told.story[side] / MILLION - moved[side]) <= REVISION * Math.abs(moved[side])
  const story = goesOn ? told.story : { ...mapSides((one) => millionths(moved[one])), minutes: 0 }
  const source = { ...told, copied: told.copied || isCopied(subject), story }
  const isInEffect = context.current !== null && isSameLevel(context.current, candidate)
  const ballot = ballotOf({ ...subject, source, told: story.minutes })
  const believed = isInEffect || isBelieved(ballot)
  return {
    candidate,
    ballot,
    believed,
    wasDoubted: told.doubted,
    source: { ...source, doubted: !believed },
  }
}

/**
 * The word to hold: of a source that comes before the one that speaks, or that changed after it and
 * has stood for an hour. What a source said before the value in effect was seen is no news.
 */
function toHold(
  heard: readonly Judged[],
  speaks: Heard | null,
  { current, now }: Context,
): Held | null {
  const turn = speaks ? heard.findIndex((one) => one.source === speaks.source) : heard.length
  const held = heard.find(({ believed, source, wasDoubted }, index) => {
    const isNew = wasDoubted || !current || source.since > current.updatedAt
    const isLater = source.sameDefinition && source.since > (speaks?.source.since ?? 0)
    const mayBeMissed = isLater && now - source.since >= RESTLESS_MS
    return !believed && !source.left && isNew && (index < turn || mayBeMissed)
  })
  if (!held) return null
  const { candidate, ballot } = held
  return { candidate, reason: reasonOf(ballot), ballot: ballotLine(ballot) }
}

/** What is held stays so while its source is not heard for a while. */
function silentHold(memory: GuardMemory, heard: ReadonlySet<string>, context: Context) {
  const { held, sources } = memory
  const source = sources.find(({ name }) => name === held?.name)
  const isSilent = source && !heard.has(source.name)
  const isFresh = source && Math.abs(context.now - source.seenAt) <= FRESH_MS
  return isSilent && isFresh ? stillHeld(memory, context.pair) : null
}

/** What is known once a value is published: in its source's terms, and without what it undoes. */
function published(
  memory: GuardMemory,
  { candidate, source }: Heard,
  context: Context,
): GuardMemory {
  const changed = context.current
    ? noteChange(memory, context.current, candidate, context.now)
    : memory
  const { samples } = source.habits
  const isNew = !isKnown(source, context)
  return {
    ...changed,
    definedBy: source.name,
    // Where an unknown source stands, all the others stand elsewhere than was known.
    sources: changed.sources.map((one) => {
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

function standsAlone(heard: readonly Heard[]): boolean {
  return new Set(heard.map(({ candidate }) => candidate.provenance)).size < 2
}

function levelOf(value: { buy: number; sell: number } | null) {
  return value && { buy: value.buy, sell: value.sell }
}

/** A cycle in which no source of the pair was due: everything stays as it is. */
function nothingAsked(memory: GuardMemory, pair: AcceptInput['pair']): Decision {
  return {
    publish: null,
    confirmed: false,
    held: stillHeld(memory, pair),
    source: memory.speaker?.name ?? null,
    needsFallback: false,
    memory,
  }
}

function stillHeld({ held, sources }: GuardMemory, pair: AcceptInput['pair']): Held | null {
  const source = sources.find(({ name }) => name === held?.name)
  if (!held || !source) return null
  const { name, provenance, sameDefinition, buy, sell } = source
  const candidate = { pair, source: name, provenance, sameDefinition, buy, sell }
  return { candidate, reason: held.reason, ballot: null }
}
