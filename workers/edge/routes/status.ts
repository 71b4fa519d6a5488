import { Hono } from 'hono'
import { formatArgentine, formatUtc, type Instant } from '../../../shared/argentine-time.ts'
import { BOARD_KEY, BOARD_MAX_AGE_MS, type Board, parseBoard } from '../../../shared/board.ts'
import { PAIRS } from '../../../shared/catalog.ts'
import { deliveryCounters } from '../../../shared/db/delivery/counters.ts'
import { isFresh } from '../../../shared/market-hours.ts'
import type { Deps, EdgeContext } from '../context.ts'

/** Health for everyone to see, without internals: freshness per pair, health per source. */
export function statusRoutes({ now }: Pick<Deps, 'now'>) {
  return new Hono<EdgeContext>().get('/api/v2/status', async (c) => {
    const instant = now()
    const [board, deliveries] = await Promise.all([
      readBoard(c.env.BOARD),
      readCounters(c.env.DB, instant),
    ])

    c.header('Cache-Control', 'public, max-age=10')
    return c.json({ ...statusOf(board, instant), deliveries })
  })
}

/** `ok` every pair fresh; `degraded` some not; `down` none, no source, or no board (decision 58). */
export function statusOf(board: Board | null, now: Instant) {
  const pairs = PAIRS.map((pair) => {
    const { currency, origin } = pair
    const quote = board?.quotes.find(
      (quote) => quote.currency === currency && quote.origin === origin,
    )
    if (!board || !quote) {
      const never = {
        updatedAt: null,
        lastScrapedAt: null,
        fresh: false,
        source: null,
        held: false,
      }
      return { currency, origin, ...never }
    }

    const { updatedAt, lastScrapedAt, source, held } = quote
    const everySource = board.mode !== 'live'
    const fresh = isFresh(pair, Date.parse(lastScrapedAt), now, { everySource })
    return { currency, origin, updatedAt, lastScrapedAt, fresh, source, held }
  })

  const fresh = pairs.filter((pair) => pair.fresh).length
  const alive =
    board !== null && now - board.generatedAt <= BOARD_MAX_AGE_MS && board.anySourceAnswered
  const status = !alive || fresh === 0 ? 'down' : fresh === pairs.length ? 'ok' : 'degraded'

  return {
    status,
    mode: board?.mode ?? null,
    generatedAt: board ? formatArgentine(board.generatedAt) : null,
    pairs,
    sources: board?.sources ?? [],
  }
}

/** KV out of reach is the same as no board: the status read itself never fails for it. */
async function readBoard(kv: KVNamespace): Promise<Board | null> {
  try {
    return parseBoard(await kv.get(BOARD_KEY, { cacheTtl: 30 }))
  } catch {
    return null
  }
}

/** How deliveries are doing, or null while the database is out of reach. */
async function readCounters(db: D1Database, now: Instant) {
  try {
    const { oldestWaitingAt, ...counters } = await deliveryCounters(db, now)
    return { ...counters, oldestWaitingAt: oldestWaitingAt && formatUtc(oldestWaitingAt) }
  } catch {
    return null
  }
}
