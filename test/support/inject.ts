import { HOUR_MS, type Instant } from '../../shared/argentine-time.ts'
import { roundPrice } from '../../shared/market/price.ts'
import type { Observation } from '../../tools/prove/replay/series.ts'

/** What a fault does to an honest value. */
export type Distortion = (honest: Observation) => { buy: number; sell: number }

export const DISTORTIONS: Record<string, Distortion> = {
  'times 10': scale(10),
  'times 100': scale(100),
  'a tenth': scale(0.1),
  'a hundredth': scale(0.01),
  'sell of one': ({ buy }) => ({ buy, sell: 10_000 }),
  'both one': () => ({ buy: 10_000, sell: 10_000 }),
  'a digit too many in sell': ({ buy, sell }) => ({ buy, sell: sell * 11 }),
  'a digit dropped from sell': ({ buy, sell }) => ({ buy, sell: cut(sell / 10) }),
  'sell up 60 %': ({ buy, sell }) => ({ buy, sell: cut(sell * 1.6) }),
}

export function scale(factor: number): Distortion {
  return ({ buy, sell }) => ({ buy: cut(buy * factor), sell: cut(sell * factor) })
}

/** The series with what was said from `at` on, for some hours, distorted. */
export function inject(
  series: readonly Observation[],
  at: Instant,
  hours: number,
  distort: Distortion,
): Observation[] {
  const until = at + hours * HOUR_MS
  const before = series.filter((one) => one.at <= at)
  const during = series.filter((one) => one.at > at && one.at < until)
  const after = series.filter((one) => one.at >= until)
  const inEffectAt = before.at(-1) ?? series[0]!
  const inEffectUntil = during.at(-1) ?? inEffectAt

  return [
    ...before,
    { ...inEffectAt, at, ...distort(inEffectAt) },
    ...during.map((one) => ({ ...one, ...distort(one) })),
    { ...inEffectUntil, at: until },
    ...after,
  ]
}

/** The series with everything from `at` on scaled: a devaluation, or a change of unit. */
export function shift(series: readonly Observation[], at: Instant, factor: number): Observation[] {
  return inject(series, at, 100_000, scale(factor)).filter(({ at }) => at < Date.UTC(2030, 0))
}

/** The part of a series between two instants, with the value in effect at its start. */
export function slice(series: readonly Observation[], from: Instant, to: Instant): Observation[] {
  const first = series.findLast(({ at }) => at <= from)
  const rest = series.filter(({ at }) => at > from && at < to)
  return first ? [{ ...first, at: from }, ...rest] : rest
}

function cut(price: number): number {
  return roundPrice(Math.round(price), 2)
}
