/** When a failed delivery is tried again (decisions 32 and 33: four attempts, their waits). */
import type { Waits } from '../config/config.ts'

/** Attempts per delivery, counted as POSTs that the receiver sees. */
export const MAX_ATTEMPTS = 4

const JITTER = 0.2

/** How far a receiver may stretch a wait with `Retry-After`, as a multiple of the scheduled wait. */
const MAX_STRETCH = 2

/**
 * Milliseconds to wait after failed attempt number `attempt`, or null after the last one. A
 * receiver's `Retry-After` lengthens the wait, up to twice the scheduled one, and never shortens it.
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
 * Milliseconds to wait after a claim was released for the `release`-th time by a fault of ours;
 * null after four releases (decision 44: whose fault it is). The fourth wait equals the third.
 */
export function releaseDelayMs(waits: Waits, release: number, random: () => number): number | null {
  return release > MAX_ATTEMPTS ? null : jittered(waitAfter(waits, release) * 1000, random)
}

/**
 * The seconds of a `Retry-After` header: whole seconds or an HTTP date (RFC 9110, 10.2.3); null
 * when it is absent or neither.
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
