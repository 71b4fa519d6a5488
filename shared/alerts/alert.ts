/**
 * An alert watches one value and fires when it crosses a level: its rule, whether the condition is
 * met, and what a change of the values does to the alert. Pure, exact.
 */
import type { Instant } from '../argentine-time.ts'
import type { Pair } from '../market/catalog.ts'
import type { Price } from '../market/price.ts'

/** Alerts that an account may have, paused ones included. */
export const ALERT_LIMIT = 20

export const SIDES = ['buy', 'sell'] as const
export type Side = (typeof SIDES)[number]

/**
 * `above` and `below`: the value is at the level or beyond it. `change`: it differs by at least
 * that percent, up or down, from the last value before today's Argentine midnight. `gap`: it
 * differs by at least that percent from the value of another pair.
 */
export const CONDITIONS = ['above', 'below', 'change', 'gap'] as const
export type Condition = (typeof CONDITIONS)[number]

/**
 * `armed`: fires when its condition is met. `waiting`: its condition is still met, and must end
 * before it is armed again. `done`: fired, and does not fire again.
 */
export const PHASES = ['armed', 'waiting', 'done'] as const
export type Phase = (typeof PHASES)[number]

export const CHANNELS = ['webhook', 'email'] as const
export type Channel = (typeof CHANNELS)[number]

/** The least time between two e-mails of an alert. An e-mail reports all firings since the last. */
export const MAIL_EVERY_MS = 60 * 60 * 1000

/** The most e-mails of alerts that an account gets in any hour, also after it deletes alerts. */
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

/** A pair's value in effect. */
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

/** Whether a condition compares prices rather than percents. */
export function isLevel(condition: Condition): boolean {
  return condition === 'above' || condition === 'below'
}

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

/** The distance of the value from the base, and `hundredths` of a percent of it, in one unit. */
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
 * The phase that an alert has at some values. An alert made, edited or activated since the last
 * change has no phase yet: if its condition is already met, it waits.
 */
export function phaseAt(level: Level, phase: Phase | null, measured: Measured | null): Phase {
  if (phase === null) return measured && isMet(level, measured) ? 'waiting' : 'armed'
  return phase === 'waiting' && measured && hasLeft(level, measured) ? 'armed' : phase
}

/**
 * What a change does to an alert: whether it fires, and else its phase. The values before the
 * change are measured from today's base too: at midnight the change of the day is zero, so a
 * waiting `change` is armed again even if no cycle ran then.
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
