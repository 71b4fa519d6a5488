import type { Request } from 'autocannon'
import type { Tally } from './tally.ts'

/** A request that is always the same, and the statuses that it may get. */
export interface Shot {
  path: string
  headers?: Record<string, string>
  /** 200 when left out. */
  expect?: number[]
}

/** `headers` gives those of the next request, where they are not always the same. */
export function requestsOf(
  shots: readonly Shot[],
  tally: Tally,
  headers?: () => Record<string, string>,
): Request[] {
  return shots.map(({ path, expect = [200], ...shot }) => ({
    path,
    ...shot,
    ...(headers && {
      setupRequest: (request: Request) => ({
        ...request,
        headers: { ...shot.headers, ...headers() },
      }),
    }),
    onResponse: (status, body) => tally.note(path, status, expect, body),
  }))
}
