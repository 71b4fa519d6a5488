import { HOUR_MS, type Instant, MINUTE_MS } from '../../../../shared/argentine-time.ts'
import type { Pair } from '../../../../shared/market/catalog.ts'
import type { Candidate } from '../../pairs/candidate.ts'
import type { MarketValue } from '../decision.ts'
import { distance } from './levels.ts'
import { limitsOf } from '../rules/limits.ts'
import { type GuardMemory, MILLION, type SourceMemory } from './memory.ts'
import { unshifted } from './basis.ts'
import { offRelatives } from './relatives.ts'
import { isLive, isOverdue } from './rhythm.ts'
import { floorBetween, inTermsOf } from '../select/witnesses.ts'

/**
 * A source froze when another one moved away from it since it last changed, and stayed away for a
 * while. How much is needed depends on how far it moved:
 *
 * - an ordinary step is believed: the source missed it (a smaller one, when it is overdue);
 * - a larger one could be the other's fault: the pair's relatives or a third source must stand with
 *   it, or it went there by several small movements.
 *
 * At night and on holidays nobody moves, so nobody is frozen.
 */
const LEAST_OFF = 0.002
const TIMES_NOISE = 2
const AWAY_MS = 10 * MINUTE_MS

const RIVAL_MOVES = 3
const RIVAL_WAY = 0.012
const STOOD_MS = 2 * HOUR_MS

/** One movement of a rival counts for this much at most: a fault is one movement, or two. */
const MOST_A_MOVE = 0.005

/** A rival that fell silent is replaced. */
const RIVAL_SILENT_MS = 24 * HOUR_MS

/** The relatives, or the third source, must be this much nearer to the witness. */
const SHARE = 0.5

/** What is needed beside the sources to tell whether one froze. */
export interface FreezeContext {
  pair: Pair
  memory: Pick<GuardMemory, 'sources' | 'relatives'>
  market: readonly MarketValue[]
  now: Instant
}

export function isFrozen(source: SourceMemory, context: FreezeContext): boolean {
  return (
    source.leftBehind || leftBehindByRival(source, context) || leftBehindByMarket(source, context)
  )
}

function leftBehindByRival(source: SourceMemory, { pair, memory, now }: FreezeContext): boolean {
  const { rival } = source
  const other = rival && memory.sources.find(({ name }) => name === rival.name)
  if (!rival || !other) return false

  return (
    rival.moves >= RIVAL_MOVES &&
    now - (source.changedAt ?? source.firstSeenAt) >= STOOD_MS &&
    Math.abs(distance(rival.sell, other.sell)) >=
      Math.max(RIVAL_WAY, 1.5 * limitsOf(pair).dispersion)
  )
}

function leftBehindByMarket(source: SourceMemory, context: FreezeContext): boolean {
  const { pair, memory, now } = context
  const movers = memory.sources.filter((other) => hasMovedAway(source, other, pair, now))
  return movers.some(
    (mover) =>
      offBy(source, mover) <= floorBetween(source, mover, pair) ||
      isWithRelatives(source, mover, context) ||
      movers.some((third) => isWithThird(source, mover, third)),
  )
}

/** Whether a live source changed since this one did, and has stood well away from it for a while. */
function hasMovedAway(source: SourceMemory, other: SourceMemory, pair: Pair, now: Instant) {
  const { changedAt } = other
  if (other.provenance === source.provenance || !other.sameDefinition) return false
  if (other.leftBehind || isNearer(source, other)) return false
  if (changedAt === null || changedAt <= (source.changedAt ?? source.firstSeenAt)) return false

  if (!isLive(other, now) || now - changedAt < AWAY_MS) return false
  if (isOverdue(source)) return offBy(source, other) >= LEAST_OFF

  const noise = (TIMES_NOISE * Math.max(source.usual.noise, other.usual.noise)) / MILLION
  return offBy(source, other) >= Math.max(LEAST_OFF, limitsOf(pair).dispersion, noise)
}

/**
 * Whether the other came nearer by its last move, or stands apart by an unknown definition. However
 * long it has stood since: a source is often overdue only an hour after the other one moved.
 */
function isNearer(source: SourceMemory, other: SourceMemory): boolean {
  const { rival, leftBehind } = source
  const before = offBy(source, { ...other, sell: other.previous.sell })
  const then = rival?.name === other.name ? offBy(source, { ...other, sell: rival.sell }) : before
  return offBy(source, other) <= Math.min(before, then) && !leftBehind
}

function isWithThird(source: SourceMemory, mover: SourceMemory, third: SourceMemory): boolean {
  const isOther = third.provenance !== mover.provenance
  return isOther && offBy(mover, third) < SHARE * offBy(source, mover)
}

/** Whether the relatives stand where the mover is rather than where the source stands. */
function isWithRelatives(
  source: SourceMemory,
  mover: SourceMemory,
  { memory, market, now }: FreezeContext,
): boolean {
  const at = (level: SourceMemory) =>
    offRelatives(unshifted(level, level).sell, memory.relatives, market, now)
  const off = at(source)
  const moverOff = at(mover)
  if (off === null || moverOff === null) return false

  return Math.abs(off) - Math.abs(moverOff) >= SHARE * offBy(source, mover)
}

function offBy(source: SourceMemory, other: SourceMemory): number {
  return Math.abs(distance(source.sell, inTermsOf(source, other).sell))
}

/** The rival of a source that changed (or was first heard) in this cycle: where it stands now. */
export function chooseRival(
  candidate: Candidate,
  candidates: readonly Candidate[],
  now: Instant,
): SourceMemory['rival'] {
  const rival = candidates.find(({ provenance }) => provenance !== candidate.provenance)
  return rival ? { name: rival.source, sell: rival.sell, moves: 0, seenAt: now } : null
}

/** The rival of a source that stood still in this cycle. */
export function watchRival(
  known: SourceMemory,
  candidate: Candidate,
  candidates: readonly Candidate[],
  before: readonly SourceMemory[],
  now: Instant,
): SourceMemory['rival'] {
  const { rival } = known
  const heard = rival && candidates.find(({ source }) => source === rival.name)
  if (rival && heard) {
    const last = before.find(({ name }) => name === rival.name)
    if (!last || last.sell === heard.sell) return { ...rival, seenAt: now }

    const step = distance(last.sell, heard.sell)
    const excess = step - Math.max(-MOST_A_MOVE, Math.min(MOST_A_MOVE, step))
    const sell = Math.round(rival.sell * Math.exp(excess))
    return { ...rival, sell, moves: Math.min(rival.moves + 1, 1000), seenAt: now }
  }
  if (rival && Math.abs(now - rival.seenAt) < RIVAL_SILENT_MS) return rival

  return chooseRival(candidate, candidates, now)
}
