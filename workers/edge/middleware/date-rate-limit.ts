import type { MiddlewareHandler } from 'hono'
import type { Instant } from '../../../shared/argentine-time.ts'
import type { Deps, EdgeContext } from '../context.ts'
import { createBurstCounter } from './burst-counter.ts'
import { clientKey } from './client-key.ts'

/** What one key of the platform's limiter stands for: requests of a burst, as in wrangler.toml. */
const SHARD = 20

/**
 * The date reads' rate limit per client address: an exact counter in this isolate, and behind it
 * the platform's limiter, which isolates of one location share (decision 53). Whatever the answer
 * will be counts: refused reads and HEAD as well.
 */
export function createDateRateLimit({ now }: Pick<Deps, 'now'>): MiddlewareHandler<EdgeContext> {
  const counter = createBurstCounter()

  return async function dateRateLimit(c, next) {
    const client = clientKey(c.req.header('CF-Connecting-IP'))
    const at = now()

    const count = counter.count(client, Number(c.env.DATE_READ_LIMIT), at)
    if (!count.allowed) return tooMany(count.blockedUntil, at)

    // A configured limit above the platform's spreads over several of its keys.
    const shard = `${client}#${Math.floor((count.number - 1) / SHARD)}`
    if (await platformRefuses(c.env.DATE_READS, shard)) {
      const blocked = counter.block(client, at)
      if (!blocked.allowed) return tooMany(blocked.blockedUntil, at)
    }
    return next()
  }
}

/** The counter holds without the platform's limiter, so one that fails refuses nobody. */
async function platformRefuses(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return !(await limiter.limit({ key })).success
  } catch {
    return false
  }
}

function tooMany(blockedUntil: Instant, now: Instant): Response {
  const seconds = Math.max(1, Math.ceil((blockedUntil - now) / 1000))
  return new Response('Demasiadas consultas por fecha: espere unos segundos', {
    status: 429,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'Retry-After': String(seconds),
    },
  })
}
