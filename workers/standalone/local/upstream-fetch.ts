/** Sends `https://HOST/PATH?QUERY` to `upstream/HOST/PATH?QUERY` instead, otherwise unchanged. */
export function upstreamFetch(network: typeof fetch, upstream: string): typeof fetch {
  const base = upstream.replace(/\/+$/, '')

  return (input, init) => {
    const { host, pathname, search } = new URL(input instanceof Request ? input.url : input)
    return network(`${base}/${host}${pathname}${search}`, init)
  }
}
