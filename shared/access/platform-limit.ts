import { logFailure } from '../log.ts'

/**
 * Whether the platform's limiter refuses this key. A limiter that fails refuses nobody, because the
 * counter of the isolate still works.
 */
export async function platformRefuses(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return !(await limiter.limit({ key })).success
  } catch (error) {
    logFailure('rate_limit_failed', error)
    return false
  }
}
