import { Counts } from '../harness/counts.ts'
import { Findings } from '../harness/findings.ts'

/** How many kinds of problems the report names. */
const TOLD = 5

/** Counts the answers of a load by status, and those that were not the expected ones. */
export class Tally {
  counts = new Counts()
  readonly #wrong = new Findings()

  /** Counts anew; what was wrong stays wrong. */
  restart(): void {
    this.counts = new Counts()
  }

  /** Whether the status is one of the expected. */
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
