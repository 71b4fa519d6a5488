/**
 * Which sources a cycle requests. A cycle requests sources twice:
 *
 * 1. `planFirst`, for the pairs that are due: their leading documents (of the usual source and of
 *    the source in use) and their witnesses (their other documents, each in its own rhythm and
 *    hours). A pair that is not in the plan keeps its value.
 * 2. `planFallbacks`, for the pairs whose guard `needsFallback`: their documents that were not due.
 *
 * Two cycles within five minutes never request the same document.
 */
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey, type PairKey, PAIRS } from '../../../shared/market/catalog.ts'
import { type KnownDays, pairRhythm } from '../../../shared/market/market-hours.ts'
import { isDoubtful, isOpen, isOpenToConfirm, lastClose } from './hours.ts'
import type { PairSource } from '../pairs/derivation.ts'
import { sourcesOf } from '../pairs/pair-sources.ts'
import { sourceNamed } from '../sources/index.ts'
import type { Source } from '../sources/source.ts'
import type { SourcesState } from './sources-state.ts'

/** No document is requested again within this time, whichever pair needs it. */
const LEAST_BETWEEN_MS = 5 * MINUTE_MS

/** Crons run some seconds early or late, so a source is due a little before its interval ends. */
const SLACK_MS = 30 * SECOND_MS

/** The longest wait between two requests of a failing source. */
const LONGEST_WAIT_MS = 60 * MINUTE_MS

/**
 * The interval of requests on a day that only the list of holidays closes. A table that Banco
 * Nación prints that day, or a move of the bonds, shows that the list is wrong.
 */
const DOUBTFUL_MS = HOUR_MS

/** From this many failures in a row on, a witness is requested less and less often. */
const TOLERATED_FAILURES = 3

/** The list of holidays, the only source that no pair needs. */
const HOLIDAYS = 'argentinadatos-feriados'

export interface Plan {
  pairs: readonly Pair[]
  /** The documents to request, the leading ones first. */
  sources: readonly Source[]
}

export interface PlanContext extends KnownDays {
  state: SourcesState
  now: Instant
}

/**
 * The pairs to evaluate in this cycle, and the documents to request for them. The source in use is
 * requested together with the usual source, so that the guard can compare both before it returns
 * from a fallback.
 */
export function planFirst(
  context: PlanContext,
  guard: {
    active: (pair: PairKey) => string | undefined
    /** Whether a value of the pair is held back: each cycle then requests all its documents. */
    isHeld: (pair: PairKey) => boolean
  },
): Plan {
  const pairs: Pair[] = []
  const held: Pair[] = []
  const leading = new Set<string>()
  for (const pair of PAIRS) {
    const due = dueSources(pair, context)
    // Long after its close a held pair is not requested, because no source changes overnight.
    const mayConfirm = isOpenToConfirm(pairRhythm(pair).hours, context.now, context)
    if (guard.isHeld(pairKey(pair)) && mayConfirm) held.push(pair)
    else if (due.length === 0) continue

    pairs.push(pair)
    const active = sourcesOf(pair).filter(({ name }) => name === guard.active(pairKey(pair)))
    for (const name of [...due, ...active].flatMap(({ needs }) => needs)) leading.add(name)
  }
  // A witness is due at its own interval, or in each cycle while a value of its pair is held back.
  const wanted = new Set(documentsOf(held))
  const witnesses = [...documentsOf(pairs), HOLIDAYS].filter(
    (name) =>
      !leading.has(name) &&
      mayBeRequested(name, context) &&
      (wanted.has(name) || isDue(sourceNamed(name), context)),
  )
  return { pairs, sources: [...leading, ...witnesses].map(sourceNamed) }
}

/**
 * The documents of pairs that need a fallback, without those requested in the last five minutes.
 */
export function planFallbacks(
  wanting: readonly Pair[],
  requested: ReadonlySet<string>,
  context: Pick<PlanContext, 'state' | 'now'>,
): readonly Source[] {
  return documentsOf(wanting)
    .filter((name) => !requested.has(name) && mayBeRequested(name, context))
    .map(sourceNamed)
}

/** Every document that the sources of some pairs read, each once. */
function documentsOf(pairs: readonly Pair[]): string[] {
  return [...new Set(pairs.flatMap((pair) => sourcesOf(pair).flatMap(({ needs }) => needs)))]
}

/** The wait after the last request doubles with each failure, from the third in a row on. */
function mayBeRequested(name: string, { state, now }: Pick<PlanContext, 'state' | 'now'>): boolean {
  const past = state[name]
  if (!past) return true

  const doublings = Math.max(0, past.failures - TOLERATED_FAILURES + 1)
  const wait = Math.min(LEAST_BETWEEN_MS * 2 ** doublings, LONGEST_WAIT_MS)
  return now - past.lastRequestedAt + SLACK_MS >= wait
}

/** The due sources of a pair: its usual source and those with hours of their own. */
function dueSources(pair: Pair, context: PlanContext): readonly PairSource[] {
  return sourcesOf(pair).filter(
    (source, index) =>
      (index === 0 || source.ownHours) &&
      source.needs.some((name) => isDue(sourceNamed(name), context)),
  )
}

/**
 * - In its hours, a source is due when its interval is over; after a failure, within an hour.
 * - Outside its hours, it is due with growing waits if it never succeeded or if its last success is
 *   from before the end of the last session.
 * - On a day that only the list of holidays closes, it is due once an hour.
 */
function isDue({ name, rhythm }: Source, { state, now, ...known }: PlanContext): boolean {
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
