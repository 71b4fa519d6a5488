/** The crons of wrangler.toml: a Worker with several tells by them what is due. */
export const CRONS = {
  cycle: '*/5 * * * *',
  /** First at four minutes past midnight, and never while a cycle begins. */
  files: '4,14,24,34,44,54 * * * *',
  sweep: '* * * * *',
} as const
