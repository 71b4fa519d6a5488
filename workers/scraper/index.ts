export default {
  async scheduled() {},
} satisfies ExportedHandler<Cloudflare.ScraperEnv>
