import { createDelivery } from '../../delivery/delivery.ts'
import { platform } from '../../delivery/platform.ts'
import { receiversFirst } from '../receivers.ts'

let delivery: ReturnType<typeof createDelivery> | undefined

/** One per isolate, because it knows which attempts are in flight. */
export function localDelivery(env: { LOCAL_RECEIVERS: string }) {
  const names = JSON.parse(env.LOCAL_RECEIVERS) as string[]
  return (delivery ??= createDelivery({ ...platform, resolveFirst: receiversFirst(names) }))
}
