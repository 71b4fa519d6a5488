/** Health for everyone to see, without internals: what the status read and the status page say. */
import { formatArgentine, type Instant } from './argentine-time.ts'
import { BOARD_MAX_AGE_MS, type Board } from './board.ts'
import { type Pair, PAIRS } from './catalog.ts'
import { isFresh } from './market-hours.ts'

export type StatusWord = 'ok' | 'degraded' | 'down'

/** `ok` every pair fresh; `degraded` some not; `down` none, no source, or no board (decision 58). */
export function statusOf(board: Board | null, now: Instant) {
  const pairs = PAIRS.map((pair) => pairStatus(board, pair, now))
  const fresh = pairs.filter((pair) => pair.fresh).length
  const alive =
    board !== null && now - board.generatedAt <= BOARD_MAX_AGE_MS && board.anySourceAnswered
  const status: StatusWord =
    !alive || fresh === 0 ? 'down' : fresh === pairs.length ? 'ok' : 'degraded'

  return {
    status,
    mode: board?.mode ?? null,
    generatedAt: board ? formatArgentine(board.generatedAt) : null,
    pairs,
    sources: board?.sources ?? [],
  }
}

export type PairStatus = ReturnType<typeof pairStatus>

function pairStatus(board: Board | null, pair: Pair, now: Instant) {
  const { currency, origin } = pair
  const quote = board?.quotes.find(
    (quote) => quote.currency === currency && quote.origin === origin,
  )
  if (!board || !quote) {
    const never = { updatedAt: null, lastScrapedAt: null, fresh: false, source: null, held: false }
    return { currency, origin, ...never }
  }

  const { updatedAt, lastScrapedAt, source, held } = quote
  const everySource = board.mode !== 'live'
  const fresh = isFresh(pair, Date.parse(lastScrapedAt), now, { everySource })
  return { currency, origin, updatedAt, lastScrapedAt, fresh, source, held }
}
