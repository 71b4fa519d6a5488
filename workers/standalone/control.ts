/** Messages between the process of `npm start` and its Worker. */
import type { Mode } from '../../shared/board/board.ts'

export const CONTROL_PATH = '/__local/'
export const TOKEN_HEADER = 'x-local-token'

/** The settings with which `npm start` runs cycles. */
export interface CycleSetup {
  mode: Mode
  everySeconds: number
  /** Where every source request goes, as `UPSTREAM/HOST/PATH?QUERY`; null for the real network. */
  upstream: string | null
}

/** Sends `https://HOST/PATH?QUERY` to `upstream/HOST/PATH?QUERY` instead, otherwise unchanged. */
export function upstreamFetch(network: typeof fetch, upstream: string): typeof fetch {
  const base = upstream.replace(/\/+$/, '')

  return (input, init) => {
    const { host, pathname, search } = new URL(input instanceof Request ? input.url : input)
    return network(`${base}/${host}${pathname}${search}`, init)
  }
}
