/** The crons of wrangler.toml, by which a Worker that has several knows what is due. */
export const CRONS = {
  cycle: '*/5 * * * *',
  /** Four minutes after midnight for the first time, and never while a cycle begins. */
  files: '4,14,24,34,44,54 * * * *',
  sweep: '* * * * *',
} as const
