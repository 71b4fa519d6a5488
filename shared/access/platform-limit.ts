import { logFailure } from '../log.ts'

/**
 * Whether the platform's limiter refuses this key. The counter of the isolate holds without it, so
 * one that fails refuses nobody; the log tells.
 */
export async function platformRefuses(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return !(await limiter.limit({ key })).success
  } catch (error) {
    logFailure('rate_limit_failed', error)
    return false
  }
}
