import { createDelivery } from './delivery.ts'
import { world } from './world.ts'

export default createDelivery(world) satisfies ExportedHandler<Cloudflare.DeliveryEnv>
