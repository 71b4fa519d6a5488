/** After so many unreachable hosts, and none that answered, the network counts as down. */
const HOSTS_OUT_OF_REACH = 3

/**
 * For the first cycle of a start: without a network it would take minutes, eight seconds a request.
 * A host that failed once is not tried again. After three such hosts none is, unless one answered.
 */
export function impatientFetch(network: typeof fetch): typeof fetch {
  const outOfReach = new Set<string>()
  let anyAnswered = false

  return async (input, init) => {
    const { host } = new URL(input instanceof Request ? input.url : input)
    const hopeless = !anyAnswered && outOfReach.size >= HOSTS_OUT_OF_REACH
    if (hopeless || outOfReach.has(host)) throw new TypeError('no network')

    try {
      const response = await network(input, init)
      anyAnswered = true
      return response
    } catch (error) {
      outOfReach.add(host)
      throw error
    }
  }
}
