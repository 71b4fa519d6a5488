import type { Instant } from '../../../shared/argentine-time.ts'

/** What one invocation may do. */
export interface Limits {
  ms: number
  queries: number
}

/**
 * A sweep that a queue message asked for has 30 seconds on Cloudflare, and an invocation has 1,000
 * queries of D1. These limits leave room to finish what the sweep has begun.
 */
export const SWEEP_LIMITS: Limits = { ms: 20_000, queries: 800 }

/** Keeps count of what an invocation has left. */
export class Budget {
  readonly #now: () => Instant
  readonly #until: Instant
  #queries: number

  constructor(now: () => Instant, { ms, queries }: Limits) {
    this.#now = now
    this.#until = now() + ms
    this.#queries = queries
  }

  get isSpent(): boolean {
    return this.#queries <= 0 || this.#now() >= this.#until
  }

  /** How many times so many queries are left. */
  timesLeft(queriesEach: number): number {
    return Math.max(0, Math.floor(this.#queries / queriesEach))
  }

  count(queries: number): void {
    this.#queries -= queries
  }

  /** Counts the statements of a batch, which it returns. */
  spend<Statement>(statements: Statement[]): Statement[] {
    this.count(statements.length)
    return statements
  }
}
