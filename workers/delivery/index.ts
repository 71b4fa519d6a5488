import { createDelivery } from './delivery.ts'
import { platform } from './platform.ts'

export default createDelivery(platform) satisfies ExportedHandler<Cloudflare.DeliveryEnv>
