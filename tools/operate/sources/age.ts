import {
  type Day,
  dayStart,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
  SECOND_MS,
} from '../../../shared/argentine-time.ts'
import type { Reading } from '../../../workers/scraper/sources/source.ts'

/** When the newest of the readings is of, as the document itself says it; null when it does not. */
export function newestOf(readings: readonly Reading[]): Instant | null {
  const instants = readings.map(instantOf).filter((instant) => instant !== null)
  return instants.length === 0 ? null : Math.max(...instants)
}

function instantOf(reading: Reading): Instant | null {
  switch (reading.kind) {
    case 'quote':
      return reading.stamp === undefined ? null : instantOfStamp(reading.stamp)
    case 'input':
      return dayStart(reading.day)
    case 'future':
      return reading.day === undefined ? null : dayStart(reading.day)
    case 'offer':
      return reading.time
    case 'wholesale':
      return reading.publishedAt ?? dayStart(reading.day)
    case 'book':
    case 'missing':
      return null
  }
}

/** `28/9/2026 - 15:00`, with or without the time: Argentine. */
const SPANISH = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:\D+(\d{1,2}):(\d{2}))?/

/** A source's own stamp: ISO 8601, a day, Unix seconds, or as Argentines write it. */
export function instantOfStamp(stamp: string): Instant | null {
  if (/^\d{10}$/.test(stamp)) return Number(stamp) * SECOND_MS
  if (/^\d{4}-\d{2}-\d{2}$/.test(stamp)) return dayStart(stamp as Day)

  const [, day, month, year, hours = '0', minutes = '0'] = SPANISH.exec(stamp) ?? []
  if (day === undefined) {
    const instant = Date.parse(stamp)
    return Number.isNaN(instant) ? null : instant
  }
  const midnight = dayStart(`${year}-${month!.padStart(2, '0')}-${day.padStart(2, '0')}` as Day)
  return midnight + Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS
}
