/**
 * Argentine public holidays, 2021 to 2027: no bank and no market opens. Beyond the last year only
 * weekends count, so that the service goes on; add each year when its decree is out.
 */
import { addDays, type Day, dayStart, weekday } from '../argentine-time.ts'

/** `MM-DD` of each year. Until 2024 the bridge days of the tourism decrees were full holidays. */
const HOLIDAYS: Record<string, string> = {
  2021: '01-01 02-15 02-16 03-24 04-02 05-01 05-24 05-25 06-20 06-21 07-09 08-16 10-08 10-11 11-20 11-22 12-08 12-25',
  2022: '01-01 02-28 03-01 03-24 04-02 04-15 05-01 05-18 05-25 06-17 06-20 07-09 08-15 09-02 10-07 10-10 11-20 11-21 12-08 12-09 12-20 12-25',
  2023: '01-01 02-20 02-21 03-24 04-02 04-07 05-01 05-25 05-26 06-17 06-19 06-20 07-09 08-21 10-13 10-16 11-20 12-08 12-25',
  2024: '01-01 02-12 02-13 03-24 03-29 04-01 04-02 05-01 05-25 06-17 06-20 06-21 07-09 08-17 10-11 10-12 11-18 12-08 12-25',
  2025: '01-01 03-03 03-04 03-24 04-02 04-18 05-01 05-25 06-16 06-20 07-09 08-17 10-12 11-24 12-08 12-25',
  2026: '01-01 02-16 02-17 03-24 04-02 04-03 05-01 05-25 06-15 06-20 07-09 08-17 10-12 11-23 12-08 12-25',
  2027: '01-01 02-08 02-09 03-24 03-26 04-02 05-01 05-25 06-17 06-20 07-09 08-17 10-12 11-20 12-08 12-25',
}

/**
 * Days on which banks close and the exchanges trade: the bridge days since 2025, which are only
 * "non-working" (the MEP dollar moved on 10 July 2026), Holy Thursday, and 6 November, the bank
 * workers' day. UVA counts its business days by these.
 */
const BANK_HOLIDAYS: Record<string, string> = {
  2021: '04-01 11-06',
  2022: '04-14 11-06',
  2023: '04-06 11-06',
  2024: '03-28 11-06',
  2025: '04-17 05-02 08-15 10-10 11-06 11-21',
  2026: '03-23 07-10 11-06 12-07',
  2027: '03-25 11-06',
}

const holidays = daysOf(HOLIDAYS)
const bankHolidays = daysOf(BANK_HOLIDAYS)

/** The years whose holidays are known here, ascending. */
export const HOLIDAY_YEARS: readonly number[] = Object.keys(HOLIDAYS).map(Number)

/** A national holiday: neither banks nor exchanges open. */
export function isHoliday(day: Day): boolean {
  return holidays.has(day)
}

/** A day on which only the exchanges open. */
export function isBankHoliday(day: Day): boolean {
  return bankHolidays.has(day)
}

export function isWeekend(day: Day): boolean {
  const number = weekday(dayStart(day))
  return number === 0 || number === 6
}

/** Whether banks open: Monday to Friday without holidays and bank holidays. */
export function isBankDay(day: Day): boolean {
  return isMarketDay(day) && !isBankHoliday(day)
}

/** Whether the exchanges trade: Monday to Friday without holidays. */
export function isMarketDay(day: Day): boolean {
  return !isWeekend(day) && !isHoliday(day)
}

/** The last bank day before `day`, never `day` itself. */
export function bankDayBefore(day: Day): Day {
  let candidate = addDays(day, -1)
  while (!isBankDay(candidate)) candidate = addDays(candidate, -1)

  return candidate
}

function daysOf(table: Record<string, string>): ReadonlySet<Day> {
  return new Set(
    Object.entries(table).flatMap(([year, days]) => days.split(' ').map((day) => `${year}-${day}`)),
  )
}
