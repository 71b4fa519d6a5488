import type { Day, Instant } from '../../argentine-time.ts'
import type { DayAvailability } from '../../board/availability.ts'
import type { Price } from '../../market/price.ts'
import type { HolidayDifferences } from '../../market/holidays.ts'
import type { CurrentQuote } from './quotes.ts'

/** What a cycle writes. */
export interface CycleRecord {
  token: string
  scheduledAt: Instant
  /** The instant of the cycle's points and confirmations. */
  at: Instant
  /** The new rows of every pair that was confirmed or changed. */
  quotes: CurrentQuote[]
  /** The pairs of `quotes` whose value changed, with the previous value. */
  changes: { quote: CurrentQuote; previous: CurrentQuote | null }[]
  /** Pairs without a current quote yet, which continue from an imported point. */
  begun: readonly CurrentQuote[]
  quarantine: QuarantineWrite[]
  guard: string
  sources: string
  summary: CycleSummary
  /** The time since the last cycle, by day and state. */
  availability: DayAvailability[]
}

export type QuarantineWrite =
  | { kind: 'hold'; pair: number; buy: Price; sell: Price; source: string; reason: string }
  | { kind: 'seen'; id: number; buy: Price; sell: Price; reason: string }
  | { kind: 'resolve'; id: number; status: 'accepted' | 'rejected' | 'released' | 'dropped' }

/** What a reader needs of the last cycle without a board. */
export interface CycleSummary {
  at: Instant
  everySeconds: number
  anySourceAnswered: boolean
  /** The revision of the past when the cycle began. If it grew since, values may be corrected. */
  historyRevision?: number | undefined
  /** The last recorded wholesale table: its day, and its rates as text for comparison. */
  wholesale?: { day: Day; rates: string; publishedAt: Instant | null } | undefined
  /** The holidays of the public list that the built-in calendar does not have. */
  holidays?: HolidayDifferences | undefined
}

/** Null when the text is malformed: a damaged summary must stop neither a cycle nor a reader. */
export function parseSummary(text: string | null | undefined): CycleSummary | null {
  try {
    return JSON.parse(text ?? 'null') as CycleSummary | null
  } catch {
    return null
  }
}
