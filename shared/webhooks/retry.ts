/** When a failed delivery is retried (decisions 32 and 33: four attempts, their waits). */
import type { Waits } from '../config/config.ts'

/** Attempts per delivery, counted as POSTs that the receiver sees. */
export const MAX_ATTEMPTS = 4

const JITTER = 0.2

/** A receiver's `Retry-After` can lengthen a wait up to this multiple of the scheduled wait. */
const MAX_STRETCH = 2

/**
 * Milliseconds to wait after failed attempt number `attempt`; null after the last attempt. A
 * receiver's `Retry-After` can lengthen the wait, up to `MAX_STRETCH`, but not shorten it.
 */
export function retryDelayMs(
  waits: Waits,
  attempt: number,
  random: () => number,
  retryAfterSeconds: number | null = null,
): number | null {
  if (attempt >= MAX_ATTEMPTS) return null

  const waitMs = waitAfter(waits, attempt) * 1000
  const requested = Math.min((retryAfterSeconds ?? 0) * 1000, waitMs * MAX_STRETCH)
  return Math.max(jittered(waitMs, random), requested)
}

/**
 * Milliseconds to wait after release number `release` of a claim by a fault of ours; null after
 * four releases (decision 44: whose fault it is). The fourth wait equals the third.
 */
export function releaseDelayMs(waits: Waits, release: number, random: () => number): number | null {
  return release > MAX_ATTEMPTS ? null : jittered(waitAfter(waits, release) * 1000, random)
}

/**
 * The seconds of a `Retry-After` header: whole seconds or an HTTP date (RFC 9110, 10.2.3). Null if
 * it is absent or malformed.
 */
export function parseRetryAfter(value: string | null, now: number): number | null {
  if (value === null || value.length > 64) return null
  if (/^\d+$/.test(value)) return Number(value)
  if (!/^[A-Z][a-z]{2}, .* GMT$/.test(value)) return null

  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000))
}

function waitAfter(waits: Waits, attempt: number): number {
  return waits[Math.min(Math.max(attempt, 1), waits.length) - 1]!
}

function jittered(ms: number, random: () => number): number {
  return Math.round(ms * (1 + JITTER * (2 * random() - 1)))
}
