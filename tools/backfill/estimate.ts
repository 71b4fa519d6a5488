import { MINUTE_MS, SECOND_MS } from '../../shared/argentine-time.ts'

/** `, 12 of 110 addresses, about 2 min left`: by what the requests took so far. */
export function estimate(
  { requests, ms }: { requests: number; ms: number },
  done: number,
  all: number,
): string {
  const counts = `, ${done} of ${all} addresses`
  if (requests === 0) return counts

  const left = (ms / requests) * (all - done)
  const time =
    left < MINUTE_MS ? `${Math.ceil(left / SECOND_MS)} s` : `${Math.ceil(left / MINUTE_MS)} min`
  return `${counts}, about ${time} left`
}
