import { HOUR_MS, type Instant } from '../../../../shared/argentine-time.ts'
import type { Candidate } from '../../pairs/candidate.ts'
import { distance, stepOf } from './levels.ts'
import { type Limits, limitsOf } from '../rules/limits.ts'
import type { GuardMemory, SourceMemory } from './memory.ts'

/**
 * A source froze when, since it last changed, an independent one moved several times and ended
 * well away from where it was, its jumps left out: the fault of one must not make the other look
 * frozen. At night and on holidays nobody moves, so nobody is frozen.
 */
const RIVAL_MOVES = 3
const RIVAL_WAY = 0.01
const STOOD_MS = 2 * HOUR_MS

/** A rival that fell silent is replaced. */
const RIVAL_SILENT_MS = 24 * HOUR_MS

export function isFrozen(
  source: SourceMemory,
  { sources }: Pick<GuardMemory, 'sources'>,
  { gap }: Limits,
  now: Instant,
): boolean {
  const { rival } = source
  const other = rival && sources.find(({ name }) => name === rival.name)
  if (!rival || !other) return false

  return (
    rival.moves >= RIVAL_MOVES &&
    now - (source.changedAt ?? source.firstSeenAt) >= STOOD_MS &&
    Math.abs(distance(rival.sell, other.sell)) >= Math.max(RIVAL_WAY, 1.5 * gap)
  )
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

    const sell = isJump(last, heard)
      ? Math.round((rival.sell * heard.sell) / last.sell)
      : rival.sell
    return { ...rival, sell, moves: Math.min(rival.moves + 1, 1000), seenAt: now }
  }
  if (rival && Math.abs(now - rival.seenAt) < RIVAL_SILENT_MS) return rival

  return chooseRival(candidate, candidates, now)
}

function isJump(from: SourceMemory, to: Candidate): boolean {
  return Math.abs(distance(from.sell, to.sell)) > stepOf(limitsOf(to.pair).jump)
}
