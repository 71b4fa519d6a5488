/**
 * The trading hours of each pair, and whether a quote is fresh by them. The scraper requests each
 * pair's first source in the same hours. Pure functions.
 */
import {
  addDays,
  argentineDay,
  type Day,
  dayStart,
  type Instant,
  MINUTE_MS,
} from '../argentine-time.ts'
import { type Pair, type PairKey, pairKey } from './catalog.ts'
import { type DecreedDay, isBankDay, isMarketDay, isWeekend } from './holidays.ts'

/** Argentine hours: `[from, to)` in minutes of the day, ascending, on certain days. */
export interface Hours {
  /** `bank`: days on which banks open. `market`: exchanges trade. `weekdays`: Monday to Friday. */
  days: 'all' | 'weekdays' | 'market' | 'bank'
  windows: readonly (readonly [from: number, to: number])[]
}

export const ALWAYS: Hours = { days: 'all', windows: [[0, 24 * 60]] }
/** Newspapers' and banks' quotes: the first change comes after 9:00, the close up to 19:55. */
export const QUOTE_HOURS: Hours = { days: 'bank', windows: [[hour(9), hour(20)]] }
export const BNA_HOURS: Hours = { days: 'bank', windows: [[hour(9), hour(19)]] }
/** Bonds trade from 10:30 or 11:00 to 17:00. The public panel is about 20 minutes late. */
export const BOND_HOURS: Hours = { days: 'market', windows: [[hour(11), hour(17.5)]] }
export const FUTURES_HOURS: Hours = { days: 'market', windows: [[hour(10), hour(17)]] }
/** The index follows New York, which trades on Argentine holidays. */
export const RISK_HOURS: Hours = { days: 'weekdays', windows: [[hour(10), hour(20)]] }
/** Daily crosses, republished hourly from 11:00 to 18:00. */
export const CROSS_HOURS: Hours = { days: 'bank', windows: [[hour(9), hour(19)]] }
/** CER and UVA have a value per calendar day, requested at midnight, at 9:00 and from 14:00 on. */
export const INDEX_HOURS: Hours = {
  days: 'all',
  windows: [
    [0, hour(1)],
    [hour(9), hour(9.5)],
    [hour(14), hour(20)],
  ],
}

/** How often (in minutes) and when a pair's first source is requested. */
export interface PairRhythm {
  everyMinutes: number
  hours: Hours
}

const RHYTHMS: Partial<Record<PairKey, PairRhythm>> = {
  'USD/OFICIAL': { everyMinutes: 5, hours: QUOTE_HOURS },
  'USD/BNA': { everyMinutes: 5, hours: BNA_HOURS },
  'USD/BLUE': { everyMinutes: 5, hours: QUOTE_HOURS },
  'USD/MAYORISTA': { everyMinutes: 5, hours: QUOTE_HOURS },
  'USD/BOLSA': { everyMinutes: 5, hours: BOND_HOURS },
  'USD/CCL': { everyMinutes: 5, hours: BOND_HOURS },
  'USD/CRIPTO': { everyMinutes: 5, hours: ALWAYS },
  'USD/TARJETA': { everyMinutes: 5, hours: BNA_HOURS },
  'USD/FUTURO': { everyMinutes: 5, hours: FUTURES_HOURS },
  'EUR/OFICIAL': { everyMinutes: 5, hours: QUOTE_HOURS },
  'EUR/BNA': { everyMinutes: 5, hours: BNA_HOURS },
  'EUR/BLUE': { everyMinutes: 5, hours: QUOTE_HOURS },
  'BRL/OFICIAL': { everyMinutes: 5, hours: QUOTE_HOURS },
  'BRL/BNA': { everyMinutes: 5, hours: BNA_HOURS },
  'CLP/OFICIAL': { everyMinutes: 15, hours: CROSS_HOURS },
  'UYU/OFICIAL': { everyMinutes: 15, hours: CROSS_HOURS },
  'ARG/RIESGO': { everyMinutes: 15, hours: RISK_HOURS },
  'ARG/CER': { everyMinutes: 30, hours: INDEX_HOURS },
  'ARG/UVA': { everyMinutes: 30, hours: INDEX_HOURS },
}

export function pairRhythm(pair: Pick<Pair, 'currency' | 'origin'>): PairRhythm {
  const rhythm = RHYTHMS[pairKey(pair)]
  if (!rhythm) throw new Error(`no rhythm for ${pairKey(pair)}`)

  return rhythm
}

/** Facts about days that the built-in calendar does not have. */
export interface KnownDays {
  /**
   * The day of Banco Nación's last table. A weekday with a table is a bank day, even if the
   * calendar has a holiday.
   */
  tableDay?: Day | null | undefined
  /** The last day on which the bonds' panel moved MEP or CCL. */
  tradedDay?: Day | undefined
  /** Closed days that the public list of holidays adds to the built-in calendar. */
  decreed?: readonly DecreedDay[] | undefined
}

export function banksOpen(day: Day, known: KnownDays): boolean {
  return isBankDay(day, closedByList(known)) || (day === known.tableDay && !isWeekend(day))
}

/**
 * The closed days that the list adds, except wrong ones: days on which the bank printed a table, or
 * bonds traded although the list closes the exchanges.
 */
export function closedByList({
  tableDay,
  tradedDay,
  decreed = [],
}: KnownDays): readonly DecreedDay[] {
  return decreed.filter(
    ({ day, exchanges }) => day !== tableDay && (exchanges || day !== tradedDay),
  )
}

/** `KnownDays.tradedDay`, computed from the current quotes. */
export function tradedDayOf(
  quotes: readonly { pair: Pair; updatedAt: Instant }[],
): Day | undefined {
  const bonds = quotes.filter(({ pair }) => pairRhythm(pair).hours === BOND_HOURS)
  const last = Math.max(...bonds.map(({ updatedAt }) => updatedAt))
  return bonds.length > 0 ? argentineDay(last) : undefined
}

/** Banco Nación publishes the first table of a day long before this time. */
const TABLE_DUE_MINUTE = 16 * 60

/** From this instant, a missing table may mean a holiday. Null if the calendar closes the banks. */
export function tableDueAt(now: Instant, { decreed }: KnownDays): Instant | null {
  const today = argentineDay(now)
  return isBankDay(today, decreed) ? dayStart(today) + TABLE_DUE_MINUTE * MINUTE_MS : null
}

const FRESH_MINUTES = 15

/** A search for sessions goes back at most this many days. */
export const LOOK_BACK_DAYS = 15

/**
 * Whether a quote was confirmed recently enough: at most 15 minutes of its pair's hours have passed
 * since. For example, a quote confirmed at the close stays fresh until 15 minutes after the next
 * opening. A pair that is requested every 15 minutes or less often gets this interval on top. A day
 * that only the list closes counts with its whole session, even if the quote was confirmed in it.
 * With `everySource` (demo, upstream), every cycle requests every source, so all hours count.
 */
export function isFresh(
  pair: Pick<Pair, 'currency' | 'origin'>,
  lastScrapedAt: Instant,
  now: Instant,
  { everySource, ...known }: { everySource: boolean } & KnownDays,
): boolean {
  if (everySource) return now - lastScrapedAt <= FRESH_MINUTES * MINUTE_MS

  const { everyMinutes, hours } = pairRhythm(pair)
  const minutes = everyMinutes < FRESH_MINUTES ? FRESH_MINUTES : everyMinutes + FRESH_MINUTES
  return openTime(hours, lastScrapedAt, now, known) <= minutes * MINUTE_MS
}

/** Milliseconds of `hours` between two instants. Before the last 15 days, all time counts. */
function openTime(hours: Hours, since: Instant, now: Instant, known: KnownDays): number {
  const today = argentineDay(now)
  const first = addDays(today, -LOOK_BACK_DAYS)
  let total = Math.max(0, dayStart(first) - since)
  for (let day = first; day <= today; day = addDays(day, 1)) {
    const open = sessionsOf(hours, day, known)
    for (const [from, to] of open) {
      total += Math.max(0, Math.min(to, now) - Math.max(from, since))
    }
    if (open.length > 0 || day < argentineDay(since)) continue
    // Of a day that only the list closes, the whole session counts.
    for (const [from, to] of sessionsOf(hours, day, {}))
      total += Math.max(0, Math.min(to, now) - from)
  }
  return total
}

export function sessionsOf(
  { days, windows }: Hours,
  day: Day,
  known: KnownDays,
): [from: Instant, to: Instant][] {
  if (!counts(days, day, known)) return []

  const midnight = dayStart(day)
  return windows.map(([from, to]) => [midnight + from * MINUTE_MS, midnight + to * MINUTE_MS])
}

function counts(days: Hours['days'], day: Day, known: KnownDays): boolean {
  switch (days) {
    case 'all':
      return true
    case 'weekdays':
      return !isWeekend(day)
    case 'market':
      return isMarketDay(day, closedByList(known))
    case 'bank':
      return banksOpen(day, known)
  }
}

function hour(hours: number): number {
  return hours * 60
}
