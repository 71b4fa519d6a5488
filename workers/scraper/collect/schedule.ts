/**
 * Which sources a cycle requests. A cycle has two rounds:
 *
 * 1. `planFirst`: the pairs that are due, with their leading documents (the usual source and the one
 *    in use) and their witnesses (every other document of these pairs, at its own rhythm and hours).
 *    Pairs that are not in the plan keep their value.
 * 2. `planFallbacks`, for the pairs whose guard `needsFallback`: their documents that were not due.
 *    No document is requested by two cycles within five minutes.
 */
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey, type PairKey, PAIRS } from '../../../shared/market/catalog.ts'
import {
  isDoubtful,
  isOpenToConfirm,
  isOpen,
  lastClose,
  pairRhythm,
  type KnownDays,
} from '../../../shared/market/market-hours.ts'
import type { PairSource } from '../pairs/derivation.ts'
import { sourcesOf } from '../pairs/pair-sources.ts'
import { sourceNamed } from '../sources/index.ts'
import type { Source } from '../sources/source.ts'
import type { SourcesState } from './sources-state.ts'

/** No document is requested again within this time, whichever pair needs it. */
const LEAST_BETWEEN_MS = 5 * MINUTE_MS

/** Cron ticks vary by seconds, so a source is due a little before its interval is over. */
const SLACK_MS = 30 * SECOND_MS

/** The longest wait between two tries of a source that fails. */
const LONGEST_WAIT_MS = 60 * MINUTE_MS

/**
 * How often sources are requested on a day that only the list of holidays closes. A bank's table of
 * that day, or a move of the bonds, shows that banks and markets are open.
 */
const DOUBTFUL_MS = HOUR_MS

/** After this many failures in a row a witness is requested less and less often. */
const TOLERATED_FAILURES = 3

/** The one source that no pair needs. */
const HOLIDAYS = 'argentinadatos-feriados'

export interface Plan {
  pairs: readonly Pair[]
  /** The documents to request, the leading ones first. */
  sources: readonly Source[]
}

export interface Turn extends KnownDays {
  state: SourcesState
  now: Instant
}

/**
 * The pairs to evaluate in this cycle, and the documents to request for them. The active source of
 * a pair leads beside its usual source, so that the guard can compare both before it returns from a
 * fallback.
 */
export function planFirst(
  turn: Turn,
  guard: {
    active: (pair: PairKey) => string | undefined
    /** Whether a pair holds a value back: then each cycle requests all its documents. */
    isHeld: (pair: PairKey) => boolean
  },
): Plan {
  const pairs: Pair[] = []
  const held: Pair[] = []
  const leading = new Set<string>()
  for (const pair of PAIRS) {
    const due = dueSources(pair, turn)
    // A held pair is not requested long after its close, because no source changes overnight.
    const mayConfirm = isOpenToConfirm(pairRhythm(pair).hours, turn.now, turn)
    if (guard.isHeld(pairKey(pair)) && mayConfirm) held.push(pair)
    else if (due.length === 0) continue

    pairs.push(pair)
    const active = sourcesOf(pair).filter(({ name }) => name === guard.active(pairKey(pair)))
    for (const name of [...due, ...active].flatMap(({ needs }) => needs)) leading.add(name)
  }
  // A witness is due at its own interval, or in each cycle while its pair holds a value back.
  const wanted = new Set(documentsOf(held))
  const witnesses = [...documentsOf(pairs), HOLIDAYS].filter(
    (name) =>
      !leading.has(name) &&
      mayBeRequested(name, turn) &&
      (wanted.has(name) || isDue(sourceNamed(name), turn)),
  )
  return { pairs, sources: [...leading, ...witnesses].map(sourceNamed) }
}

/**
 * The documents of pairs that need a fallback, without those requested in the last five minutes.
 */
export function planFallbacks(
  wanting: readonly Pair[],
  requested: ReadonlySet<string>,
  turn: Pick<Turn, 'state' | 'now'>,
): readonly Source[] {
  return documentsOf(wanting)
    .filter((name) => !requested.has(name) && mayBeRequested(name, turn))
    .map(sourceNamed)
}

/** Every document that the sources of some pairs read, each once. */
function documentsOf(pairs: readonly Pair[]): string[] {
  return [...new Set(pairs.flatMap((pair) => sourcesOf(pair).flatMap(({ needs }) => needs)))]
}

/** The wait after the last request doubles with each failure from the third in a row on. */
function mayBeRequested(name: string, { state, now }: Pick<Turn, 'state' | 'now'>): boolean {
  const past = state[name]
  if (!past) return true

  const doublings = Math.max(0, past.failures - TOLERATED_FAILURES + 1)
  const wait = Math.min(LEAST_BETWEEN_MS * 2 ** doublings, LONGEST_WAIT_MS)
  return now - past.lastRequestedAt + SLACK_MS >= wait
}

/** The due sources of a pair: its usual source and those with hours of their own. */
function dueSources(pair: Pair, turn: Turn): readonly PairSource[] {
  return sourcesOf(pair).filter(
    (source, index) =>
      (index === 0 || source.ownHours) &&
      source.needs.some((name) => isDue(sourceNamed(name), turn)),
  )
}

/**
 * In its hours a source is due when its interval is over, and an hour after a failure at the
 * latest. Outside its hours it is due, with growing waits, while it never succeeded or missed the
 * end of its last session. On a day that only the list of holidays closes it is due once an hour.
 */
function isDue({ name, rhythm }: Source, { state, now, ...known }: Turn): boolean {
  const past = state[name]
  if (!past) return true

  const interval = rhythm.everyMinutes * MINUTE_MS
  const since = now - past.lastRequestedAt + SLACK_MS
  if (isOpen(rhythm.hours, now, known)) {
    return since >= (past.failures > 0 ? Math.min(interval, LONGEST_WAIT_MS) : interval)
  }

  const close = lastClose(rhythm.hours, now, known)
  const missed =
    past.lastSuccessAt === null || (close !== null && past.lastSuccessAt < close - interval)
  if (missed && since >= Math.min(interval * 2 ** past.failures, LONGEST_WAIT_MS)) return true
  return isDoubtful(rhythm.hours, now, known) && since >= Math.max(interval, DOUBTFUL_MS)
}
