import type { Instant } from '../../../shared/argentine-time.ts'

/** What one invocation may do. */
export interface Limits {
  ms: number
  queries: number
}

/**
 * A sweep that a queue message asked for has 30 seconds on Cloudflare, and D1 allows an invocation
 * 1,000 queries: what a sweep has begun when these are used up has room to end.
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

  /** How many things of so many queries each may still be done. */
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
