import { ok } from '../../shared/result.ts'
import type { Resolve } from '../delivery/attempt/resolver.ts'
import type { Endpoint } from '../delivery/attempt/transport/transport.ts'

/**
 * `--receiver NAME=127.0.0.1:PORT`: deliveries to these names connect to a loopback port, with TLS
 * still verified for the name. For the local entry only, which is never deployed.
 */
export function receiversFirst(receivers: ReadonlyMap<string, Endpoint>) {
  return (resolve: Resolve): Resolve =>
    async (host, signal, connections) => {
      const receiver = receivers.get(host)
      return receiver ? ok([receiver]) : resolve(host, signal, connections)
    }
}
