import { dayStart, type Instant } from '../../shared/argentine-time.ts'

/** A Monday at a time in all pairs' hours. */
export const NOON = art('2026-03-02 12:00')

/** The instant of an Argentine wall clock: `art('2026-03-02 12:00')`, seconds and millis optional. */
export function art(text: string): Instant {
  const [day, time = '00:00'] = text.split(' ') as [string, string?]
  const padded = time.length === 5 ? `${time}:00.000` : time.length === 8 ? `${time}.000` : time
  return dayStart(day) + Date.parse(`1970-01-01T${padded}Z`)
}
