import type { MiddlewareHandler } from 'hono'
import { MINUTE_MS, SECOND_MS } from '../../../shared/argentine-time.ts'
import { createBurstCounter } from '../../../shared/access/burst-counter.ts'
import { clientAddress } from '../../../shared/access/client-address.ts'
import { clientKey } from '../../../shared/access/client-key.ts'
import { platformRefuses } from '../../../shared/access/platform-limit.ts'
import { DAYS_A_MINUTE } from '../../../shared/peers/limit.ts'
import type { Deps, EdgeContext } from '../context.ts'
import { tooMany } from '../middleware/date-rate-limit.ts'
import { TOO_MANY_DAYS } from '../../../shared/sentences.ts'

/**
 * The limit of days at the peers' addresses, one for all of them. Programs loop over sixty days
 * without a pause and skip what is refused, so it is far above what one of them asks.
 */
export function createDaysLimit({ now }: Pick<Deps, 'now'>): MiddlewareHandler<EdgeContext> {
  const counter = createBurstCounter(MINUTE_MS)

  return async function daysLimit(c, next) {
    const client = clientKey(clientAddress(c.req.raw.headers, c.env))
    const at = now()
    let count = counter.count(client, DAYS_A_MINUTE, at)
    if (count.allowed && (await platformRefuses(c.env.PEER_DAYS, client))) {
      count = counter.block(client, at)
    }
    if (count.allowed) return next()

    const seconds = Math.ceil((count.blockedUntil - at) / SECOND_MS)
    return tooMany(TOO_MANY_DAYS, Math.max(1, seconds))
  }
}
