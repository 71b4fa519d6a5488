import type { MiddlewareHandler } from 'hono'
import { hashKey } from '../../../shared/api-key.ts'
import { parseDailyBudget } from '../../../shared/config.ts'
import { admit } from '../../../shared/db/quotas.ts'
import type { Deps, EdgeContext } from '../context.ts'
import { HttpError } from '../errors.ts'
import { presentedKey } from '../http/presented-key.ts'
import { orUnavailable } from '../or-unavailable.ts'
import { quotaExhausted, rateLimitHeaders } from './quota.ts'

/**
 * The gate of the private routes (decision 15): key, then the key's minute, then the management
 * minute where `management` says so, then the day. Behind it `c.var.account` says who asks, and
 * every answer is `no-store` and tells the tightest limit.
 */
export function requireKey(
  { now }: Pick<Deps, 'now'>,
  { management }: { management: boolean },
): MiddlewareHandler<EdgeContext> {
  return async function apiKey(c, next) {
    const key = presentedKey(c.req.raw.headers)
    if (key === null) throw unauthorized()

    const at = now()
    const hash = await hashKey(key)
    const dailyBudget = parseDailyBudget(c.env.DAILY_PRIVATE_BUDGET)
    // A database that fails or is overloaded closes the gate: never an open door.
    const admission = await orUnavailable(
      admit(c.env.DB, { hash, management, now: at, dailyBudget }),
      'No es posible verificar la clave en este momento',
    )
    if (!admission.admitted) {
      if (admission.refusal === 'unknown_key') throw unauthorized()
      throw quotaExhausted(admission.refusal, admission.quota, at)
    }

    c.set('account', { accountId: admission.accountId, keyId: admission.keyId })
    await next()

    c.header('Cache-Control', 'no-store')
    for (const [name, value] of Object.entries(rateLimitHeaders(admission.quotas, at)))
      c.header(name, value)
  }
}

const unauthorized = () =>
  new HttpError(401, 'No autorizado', { headers: { 'WWW-Authenticate': 'Bearer' } })
