export default {
  async queue() {},
  async scheduled() {},
} satisfies ExportedHandler<Cloudflare.DeliveryEnv>
