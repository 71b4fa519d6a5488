/** Whether an alert's condition is met, and what a change of its values does to it. Pure, exact. */
import type { Price } from '../market/price.ts'
import type { Measured, Phase, Quote, AlertRule } from './alert.ts'

/**
 * The values that a rule compares; null without a quote. `close` is the last value of its side
 * before today's midnight.
 */
export function measure(
  { side, condition, against }: Pick<AlertRule, 'side' | 'condition' | 'against'>,
  quote: Quote | null | undefined,
  other: Quote | null | undefined,
  close: Price | null,
): Measured | null {
  if (!quote) return null
  const ofOther = against && other ? other[against.side] : null
  const base = condition === 'gap' ? ofOther : condition === 'change' ? close : null
  return { quote, value: quote[side], other: other ?? null, base }
}

type Level = Pick<AlertRule, 'condition' | 'threshold' | 'hysteresis'>

/** 100 %, in hundredths of a percent. */
const WHOLE = 10_000n

/** How far the value is from the base, and so many hundredths of a percent of the base: comparable. */
function distances({ value, base }: Measured, hundredths: number): [bigint, bigint] | null {
  if (base === null || base <= 0) return null
  return [BigInt(Math.abs(value - base)) * WHOLE, BigInt(hundredths) * BigInt(base)]
}

export function isMet({ condition, threshold }: Level, measured: Measured): boolean {
  if (condition === 'above') return measured.value >= threshold
  if (condition === 'below') return measured.value <= threshold
  const [far, least] = distances(measured, threshold) ?? [0n, 1n]
  return far >= least
}

/** Whether the value has left the condition by the hysteresis. Never true together with `isMet`. */
function hasLeft({ condition, threshold, hysteresis }: Level, measured: Measured): boolean {
  if (condition === 'above') return measured.value < threshold - hysteresis
  if (condition === 'below') return measured.value > threshold + hysteresis
  const [far, most] = distances(measured, threshold - hysteresis) ?? [1n, 0n]
  return far < most
}

/**
 * The phase that an alert has at some values. One that was made, edited or activated since the last
 * change has none yet: if its condition is met already, it waits.
 */
export function phaseAt(level: Level, phase: Phase | null, measured: Measured | null): Phase {
  if (phase === null) return measured && isMet(level, measured) ? 'waiting' : 'armed'
  return phase === 'waiting' && measured && hasLeft(level, measured) ? 'armed' : phase
}

/**
 * What a change does to an alert: whether it fires, and its phase if it does not. The values before
 * it are measured from today's base: at midnight the change of the day is zero, and a `change` that
 * waits is armed again, even if no cycle ran then.
 */
export function crossing(
  level: Level,
  phase: Phase | null,
  { before, after }: { before: Measured | null; after: Measured },
): { fires: boolean; phase: Phase } {
  const held = phaseAt(level, phase, before)
  const fires = held === 'armed' && isMet(level, after)
  return { fires, phase: phaseAt(level, held, after) }
}
