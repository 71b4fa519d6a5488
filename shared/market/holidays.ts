/**
 * The Argentine calendar of banks and exchanges, of any year: the law's holidays, the decreed days,
 * and those on which only banks close. Pure.
 */
import { addDays, type Day, dayStart, weekday } from '../argentine-time.ts'
import {
  BRIDGE_DAYS,
  BRIDGES_NON_WORKING_SINCE,
  EXCHANGES_CLOSED,
  EXCHANGES_FOLLOW_BANKS_UNTIL,
  SINGLE_DAYS,
} from './decreed-days.ts'
import { dayOf, easterOf, nationalHolidays } from './holiday-law.ts'

/** A day on which banks do not open. */
export interface ClosedDay {
  name: string
  /** Whether it is a national holiday. */
  isHoliday: boolean
  /** Whether the exchanges trade. */
  exchanges: boolean
}

/** The first year whose decreed days are known here. */
export const FIRST_CALENDAR_YEAR = 2021

const years = new Map<number, ReadonlyMap<Day, ClosedDay>>()

/** The holiday of a day; null when it is none of any kind. */
export function closedDay(day: Day): ClosedDay | null {
  const year = Number(day.slice(0, 4))
  let days = years.get(year)
  if (!days) years.set(year, (days = closedDaysOf(year)))

  return days.get(day) ?? null
}

/** The norm that sets a year's bridge days; null while it is not known here. */
export function bridgeNorm(year: number): string | null {
  return BRIDGE_DAYS[year]?.norm ?? null
}

export function isWeekend(day: Day): boolean {
  const number = weekday(dayStart(day))
  return number === 0 || number === 6
}

/** Whether banks open by the calendar: Monday to Friday without holidays and bank holidays. */
export function isBankDay(day: Day): boolean {
  return !isWeekend(day) && closedDay(day) === null
}

/** Whether the exchanges trade: Monday to Friday without holidays. */
export function isMarketDay(day: Day): boolean {
  return !isWeekend(day) && (closedDay(day)?.exchanges ?? true)
}

/** The last bank day before `day`, never `day` itself. */
export function bankDayBefore(day: Day): Day {
  return lastBefore(day, isBankDay)
}

/**
 * The last business day before `day` as UVA counts them: bank days, and the days that were closed
 * after its values had been published.
 */
export function uvaDayBefore(day: Day): Day {
  return lastBefore(day, (day) => isBankDay(day) || (SINGLE_DAYS[day]?.late ?? false))
}

function lastBefore(day: Day, counts: (day: Day) => boolean): Day {
  let candidate = addDays(day, -1)
  while (!counts(candidate)) candidate = addDays(candidate, -1)

  return candidate
}

/** On a day with two reasons, the one that closes more gives the name. */
function closedDaysOf(year: number): ReadonlyMap<Day, ClosedDay> {
  const days = new Map<Day, ClosedDay>()
  const add = (day: Day, name: string, isHoliday: boolean) =>
    days.set(day, { name, isHoliday, exchanges: !isHoliday && exchangesWithoutBanks(day) })

  // Holy Thursday is a non-working day of the law; 6 November is of the banks' collective agreement.
  add(addDays(easterOf(year), -3), 'Jueves Santo', false)
  add(dayOf(year, '11-06'), 'Día del Bancario', false)
  for (const date of BRIDGE_DAYS[year]?.days ?? []) {
    add(dayOf(year, date), 'Puente turístico', year < BRIDGES_NON_WORKING_SINCE)
  }
  for (const [day, name] of nationalHolidays(year)) add(day, name, true)
  for (const [day, single] of Object.entries(SINGLE_DAYS)) {
    if (Number(day.slice(0, 4)) === year) days.set(day, single)
  }
  return days
}

function exchangesWithoutBanks(day: Day): boolean {
  return day > EXCHANGES_FOLLOW_BANKS_UNTIL && !EXCHANGES_CLOSED.includes(day)
}
