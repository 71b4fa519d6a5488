import { withDeadline } from './deadline.ts'
import { logFailure } from './log.ts'

/**
 * Runs one turn of a cron. A turn that hangs is given up after `limitMs`, so that later turns run,
 * and every failure is logged as `event`. Work that was given up may still end: its lease fences
 * its writes.
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

/** The crons of wrangler.toml. The platform passes the one that is due to `scheduled`. */
export const CRONS = {
  cycle: '*/5 * * * *',
  /** First at four minutes past midnight, and never while a cycle begins. */
  files: '4,14,24,34,44,54 * * * *',
  sweep: '* * * * *',
} as const
