import { receiverBinding } from './order.ts'

/**
 * `fetch` for deliveries: requests to a `--receiver` name go to its loopback port, with TLS verified
 * for the name. The process around the Worker binds an HTTP client for each name.
 */
export function receiverFetch(network: typeof fetch, env: object): typeof fetch {
  return (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input)
    const service = (env as Record<string, Fetcher | undefined>)[receiverBinding(hostname)]
    return service ? service.fetch(input, init) : network(input, init)
  }
}
