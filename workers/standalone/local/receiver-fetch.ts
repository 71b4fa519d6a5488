import { receiverBinding } from './order.ts'

/**
 * `fetch` for deliveries: what goes to a `--receiver` name goes by the runtime's own HTTP client to
 * its loopback port, with TLS verified for the name; the process around us has made one for each.
 */
export function receiverFetch(network: typeof fetch, env: object): typeof fetch {
  return (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input)
    const service = (env as Record<string, Fetcher | undefined>)[receiverBinding(hostname)]
    return service ? service.fetch(input, init) : network(input, init)
  }
}
