/** Chooses the active source of a pair, and decides whether its reading is a new value. */
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { FOLLOWS_MINUTES, type Score } from './evidence.ts'
import { asGivenBy, type Context, definerOf, isFresh, noiseBetween, offsetOf } from './facts.ts'
import { distance, isSameLevel, type Level, levelOf, widest } from './level.ts'
import type { GuardMemory, SourceMemory } from './memory.ts'
import { usualOf } from './usual.ts'

/** An active source stays active for this long without a reading. */
const SILENT_MS = 15 * MINUTE_MS

/** Floor for the distance that two definitions explain, even if less noise was learned. */
const LEAST_APART = 0.002
/** A source that does not follow a step of this size counts as left behind at once. */
const CLEAR = 0.005

/** A source's reading as the guard evaluated it in this cycle. */
export interface Evaluated {
  source: SourceMemory
  score: Score
  /** Whether an operator accepted this reading and it is not in effect yet. */
  accepted: boolean
  /** Whether the source was doubted before this cycle. */
  wasDoubted: boolean
}

/**
 * Chooses the source of a reading that an operator accepted, else the first source whose reading is
 * believed and that was not left behind. The active source stays active for 15 minutes without a
 * reading, and while its reading is a new value. The level at which a source becomes active is its
 * anchor, which is by itself no change of the pair.
 */
export function chooseActive(
  evaluated: readonly Evaluated[],
  context: Context,
): { active: GuardMemory['active']; chosen: Evaluated | null } {
  const { active, sources } = context.memory
  const accepted = evaluated.find((one) => one.accepted)
  if (accepted) return { active: { name: accepted.source.name, anchor: null }, chosen: accepted }

  const known = sources.find(({ name }) => name === active?.name)
  const inUse = evaluated.find(({ source }) => source.name === active?.name)
  const isSilent = known && !inUse && Math.abs(context.now - known.seenAt) < SILENT_MS
  const best = evaluated.find(isGood)
  if (!best || (isSilent && !known.doubted)) return { active, chosen: null }
  if (best === inUse) return { active, chosen: best }

  const anchor = levelOf(best.source)
  const hasNews = inUse && isGood(inUse) && isNews(inUse, active!.anchor, context)
  if (hasNews && !isNews(best, anchor, context)) return { active, chosen: inUse }
  return { active: { name: best.source.name, anchor }, chosen: best }
}

export function isGood({ source }: Evaluated): boolean {
  return !source.doubted && !source.leftBehind
}

/** Whether an active source's reading is a new value, not just the level of its definition. */
export function isNews(
  { source, wasDoubted }: Evaluated,
  anchor: Level | null,
  context: Context,
): boolean {
  const { current, pair, memory, now } = context
  if (!current) return true
  if (isSameLevel(current, source)) return false
  if (widest(current, source) < usualOf(pair).minChange) return false
  // A source of another definition must move clearly before its level becomes the pair's value.
  const least = source.sameDefinition ? 0 : CLEAR
  if (!anchor || widest(anchor, source) > least) return true

  const last = memory.sources.find(({ name }) => name === memory.active?.name)
  // Whether the previous active source is not believed any more.
  const isGone = last?.leftBehind === true || last?.doubted === true
  return (wasDoubted || source.since === now || isGone) && isApart(source, context)
}

/** Whether a reading is further from the value in effect than different definitions explain. */
export function isApart(source: SourceMemory, context: Context): boolean {
  const { current } = context
  const by = definerOf(context)
  // The source of an imported value is unknown, so no definition explains a distance from it.
  if (!current || (!by && source.sameDefinition)) return true
  const off = Math.abs(distance(asGivenBy(source, current, context).sell, source.sell))
  const noise = isOverdue(by ?? source) ? 0 : noiseBetween(source, by ?? source, 'sell', context)
  return off >= Math.max(LEAST_APART, noise)
}

/**
 * Whether a believed source of the same definition changed later than this source and moved away
 * from it. After a small step, this source first gets time to follow.
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
    if (other.doubted || other.leftBehind || other.since <= source.since) return false
    if (!isFresh(other, now)) return false

    const basis = offsetOf(source, 'sell', context) - offsetOf(other, 'sell', context)
    const off = (sell: number) => distance(source.sell, sell) + basis
    const [away, before] = [off(other.sell), off(other.before.sell)]
    // If this source moved first and the other now comes nearer, this source is not left behind.
    const isNearer =
      source.since > other.before.since && away * before > 0 && Math.abs(away) <= Math.abs(before)
    const noise = isOverdue(source) ? 0 : noiseBetween(source, other, 'sell', context)
    const isClear =
      Math.abs(away - before) >= CLEAR || now - other.since >= FOLLOWS_MINUTES * MINUTE_MS
    return !isNearer && isClear && Math.abs(away) >= Math.max(LEAST_APART, noise)
  })
}

/** Whether a source has not changed for longer than usual, and for at least half an hour. */
function isOverdue({ stood, habits: { interval } }: SourceMemory): boolean {
  return stood >= Math.max(1.25 * interval, 30)
}
