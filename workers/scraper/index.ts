import { scrape } from './scraper.ts'

export default {
  async scheduled(controller, env) {
    const deps = {
      now: () => Date.now(),
      fetch,
      mode: 'live',
      everySource: false,
      everySeconds: 300,
    } as const
    await scrape(env, deps, controller.scheduledTime)
  },
} satisfies ExportedHandler<Cloudflare.ScraperEnv>
