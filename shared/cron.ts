import { SECOND_MS } from './argentine-time.ts'
import { logFailure } from './log.ts'

/**
 * Runs one turn of a cron. A turn that hangs is given up after `limitMs`, so that later turns run, and
 * every failure is logged as `event`. What was given up may still end: its lease fences what it writes.
 */
export async function runJob<Result>(
  event: string,
  limitMs: number,
  job: () => Promise<Result>,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`timed out after ${limitMs / SECOND_MS} s`)
    timer = setTimeout(() => reject(error), limitMs)
  })
  try {
    return await Promise.race([job(), late])
  } catch (error) {
    logFailure(event, error)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** The crons of wrangler.toml. The platform passes the one that is due to `scheduled`. */
export const CRONS = {
  cycle: '*/5 * * * *',
  /** First at four minutes past midnight, and never while a cycle begins. */
  files: '4,14,24,34,44,54 * * * *',
  sweep: '* * * * *',
} as const
