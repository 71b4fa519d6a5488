/** An alert watches one value and says when it crosses a level. Pure. */
import type { Instant } from '../argentine-time.ts'
import type { Pair } from '../market/catalog.ts'
import type { Price } from '../market/price.ts'
import type { Receiver } from '../webhooks/webhook.ts'

/** Alerts that an account may have, paused ones included. */
export const ALERT_LIMIT = 20

export const SIDES = ['buy', 'sell'] as const
export type Side = (typeof SIDES)[number]

/**
 * `above` and `below`: the value is at the level or beyond it. `change`: it is so many percent away
 * from the last value before today's Argentine midnight, up or down. `gap`: so many percent away
 * from the value of another pair.
 */
export const CONDITIONS = ['above', 'below', 'change', 'gap'] as const
export type Condition = (typeof CONDITIONS)[number]

/**
 * `armed`: fires when its condition is met. `waiting`: the condition was met already, and must stop
 * being met first. `done`: fired, and is not to fire again.
 */
export const PHASES = ['armed', 'waiting', 'done'] as const
export type Phase = (typeof PHASES)[number]

export const CHANNELS = ['webhook', 'email'] as const
export type Channel = (typeof CHANNELS)[number]

/** An alert fires by e-mail at most once in this time. What happens meanwhile is told together. */
export const MAIL_EVERY_MS = 60 * 60 * 1000

/** E-mails of alerts that an account gets at most in any hour, whatever becomes of its alerts. */
export const MAILS_AN_HOUR = 10

/** What an alert watches. */
export interface Watch {
  pair: Pair
  side: Side
  condition: Condition
  /** A price for `above` and `below`, hundredths of a percent for the others. */
  threshold: number
  /** How far from the level the value must return before the alert is armed again. Same unit. */
  hysteresis: number
  /** The other pair of a `gap`. */
  against: { pair: Pair; side: Side } | null
  /** Whether it is armed again after it fired. */
  repeats: boolean
}

export interface Alert extends Receiver, Watch {
  pair: Pair
  channel: Channel
  phase: Phase
  /** The cycle whose change fired it last. */
  firedAt: Instant | null
  /** What it watches, as it is now; null while there is no quote. */
  now: WatchedValue | null
}

export interface WatchedValue {
  value: Price
  /** What `change` and `gap` are measured from; null where there is none yet. */
  base: Price | null
  isMet: boolean
}

/** Whether a condition compares prices, and not percents. */
export function isLevel(condition: Condition): boolean {
  return condition === 'above' || condition === 'below'
}
