/** The cron of the scraper's cycle in wrangler.toml; the other one is the sweeper's. */
const CYCLE_CRON = '*/5 * * * *'

export function isCycleCron(cron: string): boolean {
  return cron === CYCLE_CRON
}
