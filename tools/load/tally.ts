/** How many different problems are told in full. */
const TOLD = 5

/** Counts the answers of a load by status, and those that were not the expected ones. */
export class Tally {
  counts: Record<string, number> = {}
  unexpected = 0
  private readonly seen = new Map<string, number>()

  /** Counts anew; what was wrong stays wrong. */
  restart(): void {
    this.counts = {}
  }

  /** Whether the status is one of the expected. */
  note(request: string, status: number, expected: readonly number[], body = ''): boolean {
    this.counts[status] = (this.counts[status] ?? 0) + 1
    if (expected.includes(status)) return true

    this.wrong(`${request} answered ${status} ${body.slice(0, 100)}`.trim())
    return false
  }

  wrong(problem: string): void {
    this.unexpected += 1
    this.seen.set(problem, (this.seen.get(problem) ?? 0) + 1)
  }

  problems(): string[] {
    const told = [...this.seen].slice(0, TOLD).map(([problem, count]) => `${count} × ${problem}`)
    const rest = this.seen.size - told.length
    return rest > 0 ? [...told, `and ${rest} kinds more`] : told
  }
}
