import type { MiddlewareHandler } from 'hono'
import { hashKey, couldBeKey } from '../../../shared/access/api-key.ts'
import { clientOf } from '../../../shared/access/client.ts'
import { setting } from '../../../shared/config/config.ts'
import { unauthorized } from '../../../shared/http-error.ts'
import type { Instant } from '../../../shared/argentine-time.ts'
import { admit, type Quota, type QuotaRefusal } from '../db/quotas.ts'
import type { EdgeContext } from '../context.ts'
import { HttpError, orUnavailable } from '../errors.ts'
import {
  DAILY_BUDGET_SPENT,
  KEY_UNVERIFIED,
  MINUTE_QUOTA_SPENT,
} from '../../../shared/sentences.ts'
import type { AppDeps } from '../http/route.ts'

/**
 * The gate of the private routes. It checks, in this order (decision 15: the gate's order), the
 * key, its minute quota, the management quota if `management` is set, and the daily budget. Then it
 * sets `c.var.account`. Every response is `no-store` and names the tightest limit. An address that
 * presented too many unknown keys is refused without a database read.
 */
export function requireKey(
  { now, unknownKeys }: Pick<AppDeps, 'now' | 'unknownKeys'>,
  { management }: { management: boolean },
): MiddlewareHandler<EdgeContext> {
  return async function apiKey(c, next) {
    // Some paths have two gates, and the first gate has counted the request.
    if (c.get('account')) return next()

    const key = presentedKey(c.req.raw.headers)
    if (key === null) throw unauthorized()

    const at = now()
    const hash = await hashKey(key)
    const client = clientOf(c.req.raw.headers, c.env)
    const limit = setting(c.env, 'UNKNOWN_KEY_LIMIT')
    const dailyBudget = setting(c.env, 'DAILY_PRIVATE_BUDGET')
    const lookUp = await unknownKeys.lookUp(c.env, { client, hash, now: at }, async () => {
      // Without the database, every request is refused.
      const admission = await orUnavailable(
        admit(c.env.DB, { hash, management, now: at, dailyBudget }),
        KEY_UNVERIFIED,
      )
      return admission.admitted || admission.refusal !== 'unknown_key' ? admission : null
    })
    if (!lookUp.ok) throw tooManyUnknown(limit, lookUp.refusal, at)
    const admission = lookUp.value
    if (admission === null) throw unauthorized()
    if (!admission.admitted) throw quotaExhausted(admission.refusal, admission.quota, at)

    c.set('account', { accountId: admission.accountId, keyId: admission.keyId })
    await next()

    c.header('Cache-Control', 'no-store')
    for (const [name, value] of Object.entries(rateLimitHeaders(admission.quotas, at)))
      c.header(name, value)
  }
}

/**
 * The scheme in any letter case, then spaces, then the key (RFC 9110, 11.4). Tabs do not count as
 * spaces.
 */
const BEARER = /^bearer +([^ ]+)$/i

/**
 * The key that a request presents, in `Authorization: Bearer` or `x-api-key`; null when there is
 * none, when either header holds anything else, or when they differ (decision 17: several or odd
 * credentials). The query and cookies are never read.
 */
function presentedKey(headers: Headers): string | null {
  const authorization = headers.get('Authorization')
  const bearer = authorization === null ? null : (BEARER.exec(authorization)?.[1] ?? '')
  const apiKey = headers.get('x-api-key')

  if (bearer !== null && apiKey !== null && bearer !== apiKey) return null
  const key = bearer ?? apiKey
  return key !== null && couldBeKey(key) ? key : null
}

const refusals = {
  key_quota: { status: 429, text: MINUTE_QUOTA_SPENT },
  management_quota: { status: 429, text: 'Se agotó la cuota por minuto de gestión de la clave' },
  daily_budget: { status: 503, text: DAILY_BUDGET_SPENT },
} as const satisfies Record<QuotaRefusal, { status: number; text: string }>

/** The refusal of a used-up limit, with the seconds until it resets. */
function quotaExhausted(refusal: QuotaRefusal, quota: Quota, now: Instant): HttpError {
  const { status, text } = refusals[refusal]
  return new HttpError(status, text, {
    retryAfter: secondsUntil(quota.resetsAt, now),
    headers: rateLimitHeaders([quota], now),
  })
}

/**
 * The refusal of an address that presented too many unknown keys (decision 61: keys that nobody
 * has).
 */
function tooManyUnknown(limit: number, resetsAt: Instant, now: Instant): HttpError {
  return new HttpError(429, 'Demasiadas claves desconocidas desde esta dirección', {
    retryAfter: secondsUntil(resetsAt, now),
    headers: rateLimitHeaders([{ limit, remaining: 0, resetsAt }], now),
  })
}

/**
 * `RateLimit-*` of the tightest limit: the limit with the least remaining, or of several the limit
 * that resets last (decisions 20 and 60: the RateLimit headers). Reset is in whole seconds.
 */
function rateLimitHeaders(quotas: readonly Quota[], now: Instant): Record<string, string> {
  const tightest = quotas.toSorted(
    (a, b) => a.remaining - b.remaining || b.resetsAt - a.resetsAt || a.limit - b.limit,
  )[0]!
  return {
    'RateLimit-Limit': String(tightest.limit),
    'RateLimit-Remaining': String(tightest.remaining),
    'RateLimit-Reset': String(secondsUntil(tightest.resetsAt, now)),
  }
}

function secondsUntil(instant: Instant, now: Instant): number {
  return Math.max(1, Math.ceil((instant - now) / 1000))
}
