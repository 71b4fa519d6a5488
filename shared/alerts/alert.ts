/**
 * An alert watches one value and fires when the value meets a condition: the alert's rule, whether
 * the condition is met, and how a change of values affects the alert. Pure functions on integers.
 */
import type { Instant } from '../argentine-time.ts'
import type { Pair } from '../market/catalog.ts'
import type { Price } from '../market/price.ts'

/** The maximum number of alerts of an account, including paused ones. */
export const ALERT_LIMIT = 20

export const SIDES = ['buy', 'sell'] as const
export type Side = (typeof SIDES)[number]

/**
 * `above` and `below`: the value is at the threshold or beyond it. `change`: the value differs by
 * at least the threshold, a percent, from the last value before today began in Argentina. `gap`:
 * the value differs by at least the threshold, a percent, from another pair's value.
 */
export const CONDITIONS = ['above', 'below', 'change', 'gap'] as const
export type Condition = (typeof CONDITIONS)[number]

/**
 * `armed`: fires when the condition is met. `waiting`: the condition is still met, and the alert is
 * armed again when the condition ends. `done`: fired, and does not fire again.
 */
export const PHASES = ['armed', 'waiting', 'done'] as const
export type Phase = (typeof PHASES)[number]

export const CHANNELS = ['webhook', 'email'] as const
export type Channel = (typeof CHANNELS)[number]

/** The minimum time between two e-mails of an alert. Each reports all firings since the last. */
export const MAIL_EVERY_MS = 60 * 60 * 1000

/** The maximum of alert e-mails per account and hour. Deleting alerts does not reset the count. */
export const MAILS_AN_HOUR = 10

/** The rule of an alert: the value that it watches, and when it fires. */
export interface AlertRule {
  pair: Pair
  side: Side
  condition: Condition
  /** A price for `above` and `below`, hundredths of a percent for the others. */
  threshold: number
  /** How far the value must move back from the level to arm the alert again, in the same unit. */
  hysteresis: number
  /** The other pair of a `gap`. */
  against: { pair: Pair; side: Side } | null
  /** Whether the alert is armed again after it fires. */
  repeats: boolean
}

/** A value of a pair, and when it took effect. */
export interface Quote {
  buy: Price
  sell: Price
  updatedAt: Instant
}

export interface Measured {
  quote: Quote
  /** The side that the rule names. */
  value: Price
  /** The other pair's value, for a `gap`. */
  other: Quote | null
  /** The value that `change` and `gap` measure from; null while there is none. */
  base: Price | null
}

/** Whether a condition's threshold is a price, not a percent. */
export function isLevel(condition: Condition): boolean {
  return condition === 'above' || condition === 'below'
}

/**
 * The values that a rule compares; null without a quote. `close` is the last value, of the rule's
 * side, before today began.
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

/** The distance of value and base, and `hundredths` of a percent of the base, in the same unit. */
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

/** Whether the condition has ended by more than the hysteresis. Never true if `isMet` is. */
function hasLeft({ condition, threshold, hysteresis }: Level, measured: Measured): boolean {
  if (condition === 'above') return measured.value < threshold - hysteresis
  if (condition === 'below') return measured.value > threshold + hysteresis
  const [far, most] = distances(measured, threshold - hysteresis) ?? [1n, 0n]
  return far < most
}

/**
 * The phase of an alert at given values. An alert that was created, edited or activated since the
 * last change has no phase yet; if its condition is already met, it becomes `waiting`.
 */
export function phaseAt(level: Level, phase: Phase | null, measured: Measured | null): Phase {
  if (phase === null) return measured && isMet(level, measured) ? 'waiting' : 'armed'
  return phase === 'waiting' && measured && hasLeft(level, measured) ? 'armed' : phase
}

/**
 * Whether a change of values fires an alert, and otherwise the alert's next phase. The values
 * before the change also use today's base: at midnight the change of the day is zero, so a waiting
 * `change` is armed again even if no cycle ran at midnight.
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
