import autocannon from 'autocannon'
import type { LoadResult } from './load.ts'
import { Counts } from '../harness/counts.ts'
import { Findings } from '../harness/findings.ts'

interface Fire {
  url: string
  seconds: number
  connections: number
  /** Each connection takes them in turn. They note their answers in the tally. */
  requests: autocannon.Request[]
  tally: Tally
}

type Met = Omit<LoadResult, 'memory' | 'remarks'>

/** Fires for so many seconds and returns what came of it. */
export async function fire({ url, seconds, connections, requests, tally }: Fire): Promise<Met> {
  tally.restart()
  const result = await autocannon({ url, connections, duration: seconds, requests, timeout: 10 })
  const { latency } = result
  // When time is up, each connection has one under way. Any more got no answer.
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
  }
}

const TOLD = 5

/** Counts the answers of a load by status, and those that were not the expected ones. */
export class Tally {
  counts = new Counts()
  readonly #wrong = new Findings()

  /** Resets the counts; wrong answers stay. */
  restart(): void {
    this.counts = new Counts()
  }

  note(request: string, status: number, expected: readonly number[], body = ''): boolean {
    this.counts.add(String(status))
    if (expected.includes(status)) return true

    this.wrong(`${request} answered ${status} ${body.slice(0, 100)}`.trim())
    return false
  }

  wrong(problem: string): void {
    this.#wrong.add(problem)
  }

  get unexpected(): number {
    return this.#wrong.list().reduce((sum, { times }) => sum + times, 0)
  }

  problems(): string[] {
    const kinds = this.#wrong.list().map(({ what, times }) => `${times} × ${what}`)
    const rest = kinds.length - TOLD
    return rest > 0 ? [...kinds.slice(0, TOLD), `and ${rest} kinds more`] : kinds
  }
}
