import { createDelivery, platform } from './delivery.ts'

export default createDelivery(platform) satisfies ExportedHandler<Cloudflare.DeliveryEnv>
