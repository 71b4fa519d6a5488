/**
 * Which sources a cycle asks. A cycle goes in rounds:
 *
 * 1. `planFirst`: the pairs whose turn it is and the documents to ask for them. Pairs that are
 *    not in the plan keep their value: nothing is derived, accepted or confirmed for them.
 * 2. `collect` them, `noteResults` into the state, `deriveCandidates` and accept per pair.
 * 3. `planFallbacks` for the pairs whose acceptance `wantsMore`: the next unasked source of each.
 *    Collect those, derive again (all documents of the cycle together) and accept again with the
 *    same guard memory. At most `MAX_ROUNDS` rounds; an empty plan ends it sooner, and no round
 *    begins `ROUNDS_MS` after the first.
 *
 * With `everySource` (demo, upstream) the first plan holds everything, at any hour of any day.
 */
import { type Instant, MINUTE_MS, SECOND_MS } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey, type PairKey, PAIRS } from '../../../shared/market/catalog.ts'
import { isOpen, lastClose } from '../../../shared/market/market-hours.ts'
import type { PairSource } from '../pairs/pair-source.ts'
import { sourcesOf } from '../pairs/pair-sources.ts'
import { SOURCES, sourceNamed } from '../sources/index.ts'
import type { Source } from '../sources/source.ts'
import type { SourcesState } from './sources-state.ts'

/** Rounds of a cycle, the first included: as many as the longest list of a pair's sources. */
export const MAX_ROUNDS = 6

/** With the collector's own limit on each round, a cycle ends within 110 seconds. */
export const ROUNDS_MS = 55 * SECOND_MS

/** Cron ticks wander by seconds: a source is due a little before its interval is over. */
const SLACK_MS = 30 * SECOND_MS

/** The longest wait between two tries of a source outside its hours. */
const CATCH_UP_MS = 60 * MINUTE_MS

export interface Plan {
  pairs: readonly Pair[]
  sources: readonly Source[]
}

/**
 * The pairs to look at in this cycle and the sources to ask first: each pair's usual source when
 * it is due, and beside it the source now in use, so that returning from a fallback can be judged
 * on both. `inUse` is the source of each published quote (`current_quotes.source`).
 */
export function planFirst(input: {
  state: SourcesState
  now: Instant
  everySource: boolean
  inUse: ReadonlyMap<PairKey, string>
}): Plan {
  if (input.everySource) return { pairs: PAIRS, sources: SOURCES }

  const pairs: Pair[] = []
  const needs = new Set<string>()
  for (const pair of PAIRS) {
    const due = dueSources(pair, input)
    if (due.length === 0) continue

    pairs.push(pair)
    for (const name of due.flatMap((source) => source.needs)) needs.add(name)
    for (const name of inUseNeeds(pair, input.inUse)) needs.add(name)
  }
  return { pairs, sources: [...needs].map(sourceNamed) }
}

/**
 * What to ask next for pairs that want more: for each, the documents of its next source that has
 * one which was not asked in this cycle. Empty when nothing is left to ask.
 */
export function planFallbacks(
  wanting: readonly Pair[],
  asked: ReadonlySet<string>,
): readonly Source[] {
  const needs = new Set<string>()
  for (const pair of wanting) {
    const next = sourcesOf(pair).find((source) => source.needs.some((name) => !asked.has(name)))
    for (const name of next?.needs ?? []) if (!asked.has(name)) needs.add(name)
  }
  return [...needs].map(sourceNamed)
}

/** A pair's usual source, and those with hours of their own, that are due. */
function dueSources(
  pair: Pair,
  { state, now }: { state: SourcesState; now: Instant },
): readonly PairSource[] {
  return sourcesOf(pair).filter(
    (source, index) =>
      (index === 0 || source.ownHours) &&
      source.needs.some((name) => isDue(sourceNamed(name), state, now)),
  )
}

function inUseNeeds(pair: Pair, inUse: ReadonlyMap<PairKey, string>): readonly string[] {
  const name = inUse.get(pairKey(pair))
  return sourcesOf(pair).find((source) => source.name === name)?.needs ?? []
}

/**
 * In its hours a source is due when its interval is over. Outside them it is due only to catch up:
 * when it never succeeded or missed the end of its last session, and then ever more seldom.
 */
function isDue({ name, rhythm }: Source, state: SourcesState, now: Instant): boolean {
  const past = state[name]
  if (!past) return true

  const interval = rhythm.everyMinutes * MINUTE_MS
  const since = now - past.lastAskedAt + SLACK_MS
  if (isOpen(rhythm.hours, now)) return since >= interval

  const close = lastClose(rhythm.hours, now)
  const missed =
    past.lastSuccessAt === null || (close !== null && past.lastSuccessAt < close - interval)
  return missed && since >= Math.min(interval * 2 ** past.failures, CATCH_UP_MS)
}
