import { logFailure } from '../log.ts'

/**
 * Whether the platform's limiter refuses this key. When the limiter fails it refuses nobody, for the
 * counter of the isolate works without it.
 */
export async function platformRefuses(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return !(await limiter.limit({ key })).success
  } catch (error) {
    logFailure('rate_limit_failed', error)
    return false
  }
}
