/** The health of the service, as `/api/v2/status` and the status page show it to anyone. */
import {
  argentineDay,
  type Day,
  formatArgentine,
  type Instant,
  MINUTE_MS,
  SECOND_MS,
} from '../argentine-time.ts'
import { type Board, isTrusted, quoteOf } from './board.ts'
import { type Pair, PAIRS } from '../market/catalog.ts'
import { isFresh, tableDueAt } from '../market/market-hours.ts'

export const STATUS_WORDS = ['ok', 'degraded', 'down'] as const
export type StatusWord = (typeof STATUS_WORDS)[number]

/** Why the service is `down`. Only `cycle_missed` means `degraded` (shared/api/service.ts). */
export const STATUS_REASONS = [
  'no_board',
  'clock',
  'board_too_old',
  'no_source_answered',
  'no_pair_fresh',
  'cycle_missed',
] as const
export type StatusReason = (typeof STATUS_REASONS)[number]

/**
 * `ok`: every pair is fresh. `degraded`: some are not, or a cycle was missed. `down`: no pair is
 * fresh, no source answered, or no board can be trusted (decision 58: the status words).
 */
export function statusOf(board: Board | null, now: Instant) {
  const pairs = PAIRS.map((pair) => pairStatus(board, pair, now))
  const fresh = pairs.filter((pair) => pair.fresh).length
  const reason = downReason(board, fresh, now) ?? (isLate(board!, now) ? 'cycle_missed' : null)
  const status = statusWord(reason, fresh === pairs.length)

  return {
    status,
    reason,
    mode: board?.mode ?? null,
    generatedAt: board ? formatArgentine(board.generatedAt) : null,
    pairs,
    sources: board?.sources ?? [],
    calendar: {
      added: (board?.decreed ?? []).map(({ day }) => day),
      lacking: [...(board?.lacking ?? [])],
      mayBeHoliday: board && mayBeHoliday(board, now),
    },
  }
}

/**
 * Today, if it may be a holiday that the calendar lacks: in the afternoon of a bank day, Banco
 * Nación answers, but without a table of today. Otherwise null.
 */
export function mayBeHoliday(board: Board, now: Instant): Day | null {
  const dueAt = tableDueAt(now, board)
  const today = argentineDay(now)
  if (dueAt === null || now < dueAt || board.tableDay === undefined) return null
  const bank = board.sources.find(({ name }) => name === 'bna-personas')
  return bank?.lastSuccessAt?.startsWith(today) && board.tableDay < today ? today : null
}

function statusWord(reason: StatusReason | null, areAllFresh: boolean): StatusWord {
  if (reason === null && areAllFresh) return 'ok'
  return reason === null || reason === 'cycle_missed' ? 'degraded' : 'down'
}

/** Whether the next board is overdue: a cycle may take half an interval, and KV a minute. */
function isLate({ generatedAt, everySeconds }: Board, now: Instant): boolean {
  return now - generatedAt > 1.5 * everySeconds * SECOND_MS + MINUTE_MS
}

function downReason(board: Board | null, fresh: number, now: Instant): StatusReason | null {
  if (!board) return 'no_board'
  if (board.clockWrong) return 'clock'
  if (!isTrusted(board, now)) return 'board_too_old'
  if (!board.anySourceAnswered) return 'no_source_answered'
  return fresh === 0 ? 'no_pair_fresh' : null
}

function pairStatus(board: Board | null, pair: Pair, now: Instant) {
  const { currency, origin } = pair
  const quote = board && quoteOf(board, currency, origin)
  if (!board || !quote) {
    const never = { updatedAt: null, lastScrapedAt: null, fresh: false, source: null, held: false }
    return { currency, origin, ...never }
  }

  const { updatedAt, lastScrapedAt, source, held } = quote
  const everySource = board.mode !== 'live'
  const { tableDay, tradedDay, decreed } = board
  const known = { everySource, tableDay, tradedDay, decreed }
  const fresh = isFresh(pair, Date.parse(lastScrapedAt), now, known)
  return { currency, origin, updatedAt, lastScrapedAt, fresh, source, held }
}
