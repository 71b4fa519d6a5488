/** How often a source changes, counted in the cycles in which it was heard: nights do not count. */
import { HOUR_MS, type Instant, MINUTE_MS } from '../../../../shared/argentine-time.ts'
import type { SourceMemory, Usual } from './memory.ts'

/** Each new interval moves the usual one by a tenth, whatever its length: nights do not count. */
const UP = 1.1
const DOWN = 0.9
const TENTHS = 10
const LONGEST = 20_000

/** A word is fresh for this long: the slow documents are asked every half hour. */
const FRESH_MS = 45 * MINUTE_MS

/** A source that stands still speaks for its value over a long weekend, and no longer. */
const LIVE_MS = 120 * HOUR_MS

/** It stopped when it stood for this many of its usual intervals, and for a day's session. */
const INTERVALS = 24
const SESSION_CYCLES = 132

/** A source is overdue when it stood for longer than it usually does, and for half an hour. */
const OVERDUE = 1.25
const LEAST_OVERDUE = 6

/** Learns from a change how long the value before it stood, in tenths of a cycle. */
export function learnInterval({ interval }: Usual, stood: number): number {
  const heard = Math.max(stood, 1) * TENTHS
  if (interval === 0) return Math.min(heard, LONGEST)

  const moved = Math.round(interval * (heard > interval ? UP : DOWN))
  return Math.min(Math.max(moved, TENTHS), LONGEST)
}

/** Whether the last word of a source is recent enough to count as what it says now. */
export function isFresh({ seenAt }: SourceMemory, now: Instant): boolean {
  return Math.abs(now - seenAt) <= FRESH_MS
}

/** Whether a source is there at all: heard, and changed since the last long weekend. */
export function isHeard(source: SourceMemory, now: Instant): boolean {
  return isFresh(source, now) && now - (source.changedAt ?? source.firstSeenAt) <= LIVE_MS
}

/** Whether a source may speak for a value at which it stands. */
export function isLive(source: SourceMemory, now: Instant): boolean {
  if (!isHeard(source, now)) return false
  // Of near definition some are daily references: they must have changed in their last session.
  if (!source.sameDefinition) return source.changedAt !== null && source.stood <= SESSION_CYCLES

  return source.stood <= Math.max((INTERVALS * source.usual.interval) / TENTHS, SESSION_CYCLES)
}

/**
 * Whether a source that says the old value speaks against a large step. One of the pair's
 * definition does, however long it stood: while a market rests nobody changes, and a quote that
 * missed such a step is soon mended. A daily reference says yesterday's value until it changes.
 */
export function isPresent(source: SourceMemory, now: Instant): boolean {
  return source.sameDefinition ? isHeard(source, now) : isLive(source, now)
}

/** Whether a source stood for longer than it usually does. */
export function isOverdue({ stood, usual }: SourceMemory): boolean {
  return usual.interval > 0 && stood >= Math.max((OVERDUE * usual.interval) / TENTHS, LEAST_OVERDUE)
}
