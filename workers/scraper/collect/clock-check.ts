/** Checks this machine's clock against the `Date` headers of the sources. Pure. */
import { type Instant, MINUTE_MS, SECOND_MS } from '../../../shared/argentine-time.ts'

/** A cycle whose clock is further off records nothing. */
const MOST_OFF_MS = 2 * MINUTE_MS

/** With fewer hosts a single wrong clock could decide. */
const LEAST_HOSTS = 3

export type ClockCheck = ReturnType<typeof createClockCheck>

export function createClockCheck() {
  const aheadOf = new Map<string, number>()

  return {
    /** Notes a response of `host` at `now`. */
    note(host: string, headers: Headers, now: Instant): void {
      const date = Date.parse(headers.get('Date') ?? '')
      // A response from a cache is older by its `Age`.
      const age = Number(headers.get('Age') ?? 0) * SECOND_MS
      const ahead = now - date - age
      if (Number.isFinite(ahead)) aheadOf.set(host, ahead)
    },

    /** How far this clock is ahead of the hosts' median, in ms; null with too few hosts. */
    ahead(): number | null {
      if (aheadOf.size < LEAST_HOSTS) return null
      const sorted = [...aheadOf.values()].toSorted((a, b) => a - b)
      return sorted[Math.floor(sorted.length / 2)]!
    },
  }
}

/**
 * Whether a cycle at `at` must record nothing: its clock is more than two minutes off or, with too
 * few hosts to tell, it is not later than the last cycle.
 */
export function isClockWrong(
  ahead: number | null,
  { at, last }: { at: Instant; last: Instant | undefined },
): boolean {
  if (ahead !== null) return Math.abs(ahead) > MOST_OFF_MS
  return last !== undefined && at <= last
}
