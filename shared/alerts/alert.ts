/** An alert watches one value and fires when it crosses a level. Pure. */
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

/** The least time between two e-mails of an alert. One e-mail reports all that fired meanwhile. */
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
  /**
   * How far the value must move back from the level before the alert is armed again, in the same
   * unit.
   */
  hysteresis: number
  /** The other pair of a `gap`. */
  against: { pair: Pair; side: Side } | null
  /** Whether it is armed again after it fires. */
  repeats: boolean
}

/** A pair's value in effect. */
export interface Quote {
  buy: Price
  sell: Price
  updatedAt: Instant
}

/** What an alert compares. */
export interface Measured {
  quote: Quote
  /** The side that the rule names. */
  value: Price
  /** The other pair's value, of a `gap`. */
  other: Quote | null
  /** What `change` and `gap` measure from; null while there is none. */
  base: Price | null
}

/** Whether a condition compares prices rather than percents. */
export function isLevel(condition: Condition): boolean {
  return condition === 'above' || condition === 'below'
}
