import { createDelivery } from '../../delivery/delivery.ts'
import { platform } from '../../delivery/platform.ts'
import type { Endpoint } from '../../delivery/attempt/transport/transport.ts'
import { receiversFirst } from '../receivers.ts'
import { receiverFetch } from './receiver-fetch.ts'

let delivery: ReturnType<typeof createDelivery> | undefined

/** One per isolate, for it knows which attempts are in flight. */
export function localDelivery(env: { LOCAL_RECEIVERS: string }) {
  delivery ??= createDelivery({
    ...platform,
    fetch: receiverFetch(platform.fetch, env),
    resolveFirst: receiversFirst(receivers(env.LOCAL_RECEIVERS)),
  })
  return delivery
}

/** Of `{"NAME": "127.0.0.1:PORT"}`; the start has checked it. */
function receivers(json: string): ReadonlyMap<string, Endpoint> {
  const entries = Object.entries(JSON.parse(json) as Record<string, string>)
  return new Map(
    entries.map(([name, endpoint]) => {
      const [address, port] = endpoint.split(':') as [string, string]
      return [name, { address, port: Number(port) }]
    }),
  )
}
