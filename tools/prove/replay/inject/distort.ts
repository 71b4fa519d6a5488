import type { Instant } from '../../../../shared/argentine-time.ts'
import type { Observation } from '../series.ts'
import { countUntil } from '../simulate.ts'
import type { Distortion } from './kinds.ts'

/** Only what lies near a trial is copied. */
const BEHIND = 4

/** The series with what was said in `[from, until)` distorted; nothing of after `end` is kept. */
export function distort(
  series: readonly Observation[],
  { from, until, end }: { from: Instant; until: Instant; end: Instant },
  distortion: Distortion,
): Observation[] {
  const before = series.slice(
    Math.max(0, countUntil(series, from) - BEHIND),
    countUntil(series, from),
  )
  const during = series.slice(countUntil(series, from), countUntil(series, until - 1))
  const after = series.slice(countUntil(series, until - 1), countUntil(series, end))
  const inEffect = before.at(-1)
  const last = during.at(-1) ?? inEffect

  return [
    ...before.filter(({ at }) => at < from),
    ...(inEffect ? [{ ...distortion(inEffect), at: from }] : []),
    ...during.map((one) => ({ ...distortion(one), at: one.at })),
    ...(last && until <= end ? [{ ...last, at: until }] : []),
    ...after,
  ]
}
