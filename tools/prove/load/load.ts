import autocannon from 'autocannon'
import { Counts } from '../harness/counts.ts'
import { Findings } from '../harness/findings.ts'
import { type Memory, warmUp, watchMemory } from '../harness/memory.ts'
import type { Task } from '../harness/tasks.ts'

/** One kind of load. */
export type Load = Task<LoadResult, { seconds: number }>

export interface LoadResult {
  requests: number
  perSecond: number
  /** Milliseconds. */
  latency: { p50: number; p97_5: number; p99: number; max: number }
  memory: Memory
  /** Seconds of load before the memory had settled. */
  warmUpSeconds: number
  /** How often each status came. */
  counts: Record<string, number>
  /** Wrong and missing answers; a load without any is good. */
  problems: string[]
}

/** A request that is always the same, and the statuses that it may get. */
export interface Shot {
  path: string
  headers?: Record<string, string>
  /** 200 when left out. */
  expect?: number[]
}

interface LoadOptions {
  url: string
  /** The process whose memory is watched. */
  pid: number
  seconds: number
  connections: number
  /** Each connection takes them in turn. */
  shots: readonly Shot[]
  /** Those of the next request. */
  headers?: (() => Record<string, string>) | undefined
}

/** Loads a service until it is warm, then for so many seconds, its memory watched. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { url, pid, seconds, connections, shots, headers } = options
  const findings = new Findings()
  let counts = new Counts()
  const requests = shots.map(({ path, expect = [200], ...shot }): autocannon.Request => ({
    path,
    ...shot,
    ...(headers && {
      setupRequest: (request) => ({ ...request, headers: { ...shot.headers, ...headers() } }),
    }),
    onResponse(status, body) {
      counts.add(String(status))
      if (!expect.includes(status))
        findings.add(`${path} answered ${status} ${body.slice(0, 100)}`.trim())
    },
  }))
  const load = (duration: number) =>
    autocannon({ url, connections, duration, requests, timeout: 10 })

  const warmUpSeconds = await warmUp(pid, load)
  counts = new Counts()
  using watch = watchMemory(pid)
  const result = await load(seconds)
  // When time is up, each connection has one under way. Any more got no answer.
  const lost = result.requests.sent - result.requests.total - connections
  return {
    requests: result.requests.total,
    perSecond: Math.round(result.requests.total / result.duration),
    latency: result.latency,
    memory: watch.stop(),
    warmUpSeconds,
    counts: counts.toJSON(),
    problems: [
      ...findings.list().map(({ what, times }) => `${times} × ${what}`),
      ...(result.errors > 0 ? [`${result.errors} connections failed or timed out`] : []),
      ...(lost > 0 ? [`${lost} requests without an answer`] : []),
    ],
  }
}
