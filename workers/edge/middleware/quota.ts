import type { Instant } from '../../../shared/argentine-time.ts'
import type { Quota, QuotaRefusal } from '../db/quotas.ts'
import { HttpError } from '../errors.ts'
import { DAILY_BUDGET_SPENT, MINUTE_QUOTA_SPENT } from '../../../shared/sentences.ts'

const refusals = {
  key_quota: { status: 429, text: MINUTE_QUOTA_SPENT },
  management_quota: { status: 429, text: 'Se agotó la cuota por minuto de gestión de la clave' },
  daily_budget: { status: 503, text: DAILY_BUDGET_SPENT },
} as const satisfies Record<QuotaRefusal, { status: number; text: string }>

/** The refusal of a used-up limit, with the seconds until it resets. */
export function quotaExhausted(refusal: QuotaRefusal, quota: Quota, now: Instant): HttpError {
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
export function tooManyUnknown(limit: number, resetsAt: Instant, now: Instant): HttpError {
  return new HttpError(429, 'Demasiadas claves desconocidas desde esta dirección', {
    retryAfter: secondsUntil(resetsAt, now),
    headers: rateLimitHeaders([{ limit, remaining: 0, resetsAt }], now),
  })
}

/**
 * `RateLimit-*` of the tightest limit that applies: the one with the least remaining, or among
 * equals the one that resets last (decisions 20 and 60: the RateLimit headers). Reset is in whole
 * seconds.
 */
export function rateLimitHeaders(quotas: readonly Quota[], now: Instant): Record<string, string> {
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
