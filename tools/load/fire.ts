import autocannon from 'autocannon'
import type { LoadResult } from './load.ts'
import type { Tally } from './tally.ts'

export interface Fire {
  url: string
  seconds: number
  connections: number
  /** Taken in turn by each connection; each notes its answers in the tally. */
  requests: autocannon.Request[]
  tally: Tally
}

/** The result of a load, without the memory. */
export type Met = Omit<LoadResult, 'memory'>

/** Fires for so many seconds and returns what came of it. */
export async function fire({ url, seconds, connections, requests, tally }: Fire): Promise<Met> {
  tally.restart()
  const result = await autocannon({ url, connections, duration: seconds, requests, timeout: 10 })
  const { latency } = result
  // One a connection is under way when time is up; any more went without an answer.
  const lost = Math.max(0, result.requests.sent - result.requests.total - connections)
  const problems = tally.problems()
  if (result.errors > 0) problems.push(`${result.errors} connections failed or timed out`)
  if (lost > 0) problems.push(`${lost} requests without an answer`)

  return {
    requests: result.requests.total,
    perSecond: Math.round(result.requests.total / result.duration),
    errors: tally.unexpected + result.errors + lost,
    latency: { p50: latency.p50, p97_5: latency.p97_5, p99: latency.p99, max: latency.max },
    counts: tally.counts.toJSON(),
    problems,
    remarks: [],
  }
}
