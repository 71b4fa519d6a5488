import { withDeadline } from './deadline.ts'
import { logFailure } from './log.ts'

/**
 * Runs one job of a cron or a queue, and logs a failure as `event`. Abandons a job that hangs after
 * `limitMs`, so that later jobs run. If an abandoned job still ends, its lost lease prevents its
 * writes.
 */
export async function runJob<Result>(
  event: string,
  limitMs: number,
  job: () => Promise<Result>,
): Promise<Result> {
  try {
    return await withDeadline(limitMs, job)
  } catch (error) {
    logFailure(event, error)
    throw error
  }
}

/** The crons of wrangler.toml. The platform passes the due cron to `scheduled`. */
export const CRONS = {
  cycle: '*/5 * * * *',
  /** First at 00:04, and never in the minute in which a cycle begins. */
  files: '4,14,24,34,44,54 * * * *',
  sweep: '* * * * *',
} as const
