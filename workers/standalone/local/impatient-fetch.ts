/** Hosts out of reach, with none in reach, after which there is taken to be no network. */
const HOSTS_OUT_OF_REACH = 3

/**
 * For the first cycle of a start: a network that does not answer at all would hold it for minutes,
 * eight seconds a request. A host that failed once is not tried again, and after three such hosts
 * nothing is, until any host answers with anything.
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
