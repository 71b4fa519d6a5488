import type { Context } from 'hono'
import { clientOf } from '../../../shared/access/client.ts'
import { createDateReadLimit } from '../../../shared/access/burst-limit.ts'
import type { Deps, SiteContext } from '../context.ts'
import { HttpError } from '../errors.ts'

/** Refuses a page of a past day with 429 when its client read too many. */
export type LimitDates = (c: Context<SiteContext>) => void

/** The counter of all pages that read the past. */
export function createLimitDates({ now }: Pick<Deps, 'now'>): LimitDates {
  const admit = createDateReadLimit('page:')

  return (c) => {
    const client = clientOf(c.req.raw.headers, c.env)
    const admission = admit(c.env, { client, now: now(), context: c.executionCtx })
    if (admission.allowed) return

    const retryAfter = admission.retryAfterSeconds
    throw new HttpError(429, 'Demasiadas consultas por fecha, probá de nuevo en unos segundos', {
      retryAfter,
    })
  }
}
