/**
 * Argentine time is UTC−03:00 all year, without daylight saving time since 2009 (decision 4:
 * instants in UTC).
 */

/** Milliseconds since 1970-01-01T00:00Z. */
export type Instant = number

/** An Argentine calendar day, `YYYY-MM-DD`. */
export type Day = string

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
const OFFSET_MS = 3 * HOUR_MS

/** `YYYY-MM-DDTHH:MM:SS.mmm-03:00`: how quotes, dates and history print an instant. */
export function formatArgentine(instant: Instant): string {
  return `${wallClock(instant).slice(0, -1)}-03:00`
}

/** `YYYY-MM-DDTHH:MM:SS.mmmZ`: how webhooks, deliveries and payloads print an instant. */
export function formatUtc(instant: Instant): string {
  return new Date(instant).toISOString()
}

export function argentineDay(instant: Instant): Day {
  return wallClock(instant).slice(0, 10)
}

/** The Argentine midnight at or before the instant. */
export function startOfDay(instant: Instant): Instant {
  return Math.floor((instant - OFFSET_MS) / DAY_MS) * DAY_MS + OFFSET_MS
}

/** The first instant of a day, 00:00:00.000 Argentine time. */
export function dayStart(day: Day): Instant {
  return Date.parse(`${day}T00:00:00.000Z`) + OFFSET_MS
}

/** The last instant of a day, 23:59:59.999 Argentine time. */
export function dayEnd(day: Day): Instant {
  return dayStart(day) + DAY_MS - 1
}

/** Whether a text is an existing day, written `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false

  const instant = Date.parse(`${text}T00:00:00.000Z`)
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text)
}

/** Whole days from one day to another, negative when `to` comes first. */
export function daysBetween(from: Day, to: Day): number {
  return (dayStart(to) - dayStart(from)) / DAY_MS
}

/** An Argentine day as days since 1970-01-01, as the database and the files store it. */
export type DayNumber = number

export function dayNumber(day: Day): DayNumber {
  return daysBetween('1970-01-01', day)
}

export function dayOfNumber(number: DayNumber): Day {
  return new Date(number * DAY_MS).toISOString().slice(0, 10)
}

export function addDays(day: Day, days: number): Day {
  return argentineDay(dayStart(day) + days * DAY_MS)
}

/** 0 is Sunday, 6 is Saturday. */
export function weekday(day: Day): number {
  return new Date(day).getUTCDay()
}

/** The Argentine wall clock, written as if it were UTC. */
function wallClock(instant: Instant): string {
  return new Date(instant - OFFSET_MS).toISOString()
}
