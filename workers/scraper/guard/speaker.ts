/** Which source speaks for the pair, and whether what it says is news. */
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { Candidate } from '../pairs/pair-source.ts'
import { distance, isSameLevel, widest } from './level.ts'
import type { GuardMemory, SourceMemory } from './memory.ts'
import { type Context, inTermsOf, straying } from './subject.ts'
import { usualOf } from './usual.ts'
import { FOLLOWS_MINUTES, FRESH_MS, SILENT_MS } from './weights.ts'

/** Two sources stand apart beyond this many times what they stray; definitions differ by less. */
const LEAST_APART = 0.002
const CLEAR = 0.005
const ONE = { buy: 1, sell: 1 }

/** A source's reading as the guard evaluated it in this cycle. */
export interface Evaluated {
  candidate: Candidate
  source: SourceMemory
  believed: boolean
  /** It was doubted until now. */
  wasDoubted: boolean
}

/**
 * The first source in order whose reading is believed and that nobody left behind. One that spoke and
 * was not read keeps its turn for a quarter of an hour. Where it stands when it takes over is no
 * change by itself, and nobody takes over from one that has news.
 */
export function chooseSpeaker(
  evaluated: readonly Evaluated[],
  { speaker, sources }: GuardMemory,
  context: Context,
): { speaker: GuardMemory['speaker']; speaks: Evaluated | null } {
  const known = sources.find(({ name }) => name === speaker?.name)
  const inUse = evaluated.find(({ source }) => source.name === speaker?.name)
  const isSilent = known && !inUse && Math.abs(context.now - known.seenAt) < SILENT_MS
  const best = evaluated.find(({ believed, source }) => believed && !source.leftBehind)
  if (!best || (isSilent && !known.doubted)) return { speaker, speaks: null }
  if (best.source.name === speaker?.name) return { speaker, speaks: best }

  const { name, buy, sell } = best.source
  const anchor = { buy, sell }
  const isGood = inUse?.believed && !inUse.source.leftBehind
  if (isGood && isNews(inUse, speaker!.anchor, context) && !isNews(best, anchor, context))
    return { speaker, speaks: inUse }

  return { speaker: { name, anchor }, speaks: best }
}

/** Whether a speaker's reading is a new value, not the one in effect by another definition. */
export function isNews(
  { candidate, source, wasDoubted }: Evaluated,
  anchor: { buy: number; sell: number } | null,
  context: Context,
): boolean {
  const { current, pair } = context
  if (!current) return true
  if (isSameLevel(current, candidate)) return false
  if (widest(current, candidate) < usualOf(pair).minChange) return false
  // A source of another definition must clearly move before its level is the pair's.
  const least = source.sameDefinition ? 0 : CLEAR
  if (!anchor || widest(anchor, candidate) > least) return true

  const { speaker, sources } = context.memory
  const last = sources.find(({ name }) => name === speaker?.name)
  // Nobody stands by the value in effect any more.
  const isGone = last?.leftBehind === true || last?.doubted === true
  const isNewer = wasDoubted || source.since === context.now || isGone
  return isNewer && isApart(source, context)
}

/** Whether a reading stands away from the value in effect by more than definitions do. */
export function isApart(source: SourceMemory, context: Context): boolean {
  const { current, memory } = context
  const by = memory.sources.find(({ name }) => name === (memory.definedBy ?? current?.source))
  // What nobody is known to have said, an import, has no definition to allow for.
  if (!current || (!by && source.sameDefinition)) return true
  const off = Math.abs(distance(inTermsOf(source, current, context).sell, source.sell))
  const noise = isOverdue(by ?? source) ? 0 : straying(source, by ?? source, 'sell', context)
  return off >= Math.max(LEAST_APART, noise)
}

/**
 * Whether a believed source of the same definition changed since this one did and went further away
 * by that: at once by a clear step, else when this one had time to follow.
 */
export function isLeftBehind(
  source: SourceMemory,
  others: readonly SourceMemory[],
  context: Context,
): boolean {
  const { now } = context
  if (source.leftBehind) return true
  return others.some((other) => {
    if (other.provenance === source.provenance || !other.sameDefinition) return false
    if (other.doubted || other.leftBehind) return false
    if (other.since <= source.since) return false
    if (Math.abs(now - other.seenAt) > FRESH_MS) return false

    const shift = (one: SourceMemory) => distance(1, inTermsOf(one, ONE, context).sell)
    const off = (sell: number) => distance(source.sell, sell) + shift(source) - shift(other)
    const [away, before] = [off(other.sell), off(other.before.sell)]
    // One that this source left itself does not leave it by coming nearer.
    const isNearer =
      source.since > other.before.since && away * before > 0 && Math.abs(away) <= Math.abs(before)
    const noise = isOverdue(source) ? 0 : straying(source, other, 'sell', context)
    const isClear =
      Math.abs(away - before) >= CLEAR || now - other.since >= FOLLOWS_MINUTES * MINUTE_MS
    return !isNearer && isClear && Math.abs(away) >= Math.max(LEAST_APART, noise)
  })
}

/** Whether a source has stood for longer than it usually does, and for half an hour. */
function isOverdue({ stood, habits: { interval } }: SourceMemory): boolean {
  return stood >= Math.max(1.25 * interval, 30)
}
