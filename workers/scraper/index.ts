import { createScraper } from './scraper.ts'

export default createScraper({
  now: () => Date.now(),
  fetch,
}) satisfies ExportedHandler<Cloudflare.ScraperEnv>
