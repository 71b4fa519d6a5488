/**
 * The Argentine calendar of banks and exchanges, for any year: holidays by law, decreed days, and
 * days on which only banks close. Pure functions.
 */
import { type Day, addDays, weekday } from '../argentine-time.ts'
import {
  BRIDGE_DAYS,
  BRIDGES_NON_WORKING_SINCE,
  EXCHANGES_CLOSED,
  EXCHANGES_FOLLOW_BANKS_UNTIL,
  SINGLE_DAYS,
  MOVED_BY_DECISION,
} from './decreed-days.ts'

/** A day on which banks do not open. */
export interface ClosedDay {
  name: string
  /** Whether it is a national holiday. */
  isHoliday: boolean
  /** Whether the exchanges trade. */
  exchanges: boolean
}

/** A closed day that is only in the public list of holidays, not in the built-in calendar. */
export interface DecreedDay extends ClosedDay {
  day: Day
}

/**
 * How the public list differs from the calendar: the days that it adds, and the days that it lacks,
 * which stay closed.
 */
export interface HolidayDifferences {
  decreed: readonly DecreedDay[]
  lacking: readonly Day[]
}

/** The kinds of national days in the public list. Provincial days have another kind or none. */
const NATIONAL_KINDS = ['inamovible', 'trasladable', 'puente']
export const BRIDGE = 'Puente turístico'

/** The first year whose decreed days are known here. */
export const FIRST_CALENDAR_YEAR = 2021

const years = new Map<number, ReadonlyMap<Day, ClosedDay>>()

/** The closed day of any kind, or null. `decreed` are days that the built-in calendar lacks. */
export function closedDay(day: Day, decreed: readonly DecreedDay[] = []): ClosedDay | null {
  const builtIn = builtInDays(Number(day.slice(0, 4))).get(day)
  return builtIn ?? decreed.find((one) => one.day === day) ?? null
}

function builtInDays(year: number): ReadonlyMap<Day, ClosedDay> {
  let days = years.get(year)
  if (!days) years.set(year, (days = closedDaysOf(year)))
  return days
}

/** Compares the public list's days of a year with the built-in days. */
export function compareHolidays(
  year: number,
  list: readonly { day: Day; kind: string; name: string }[],
): HolidayDifferences {
  const builtIn = builtInDays(year)
  const national = list.filter(({ kind }) => NATIONAL_KINDS.includes(kind))
  const known = new Set(national.map(({ day }) => day))
  // The list has some movable holidays at their own date until its authors move them.
  const added = national.filter(
    ({ day, kind }) => !builtIn.has(day) && !(kind === 'trasladable' && isMovable(day)),
  )
  return {
    decreed: added.map(({ day, kind, name }) => {
      const isHoliday = kind !== 'puente'
      return { day, name, isHoliday, exchanges: !isHoliday }
    }),
    lacking: [...builtIn].flatMap(([day, { isHoliday, name }]) =>
      (isHoliday || name === BRIDGE) && !known.has(day) ? [day] : [],
    ),
  }
}

export function isWeekend(day: Day): boolean {
  const number = weekday(day)
  return number === 0 || number === 6
}

/** Whether banks open by the calendar: Monday to Friday, except national and bank holidays. */
export function isBankDay(day: Day, decreed?: readonly DecreedDay[]): boolean {
  return !isWeekend(day) && closedDay(day, decreed) === null
}

/** Whether the exchanges trade: Monday to Friday, except days on which they close. */
export function isMarketDay(day: Day, decreed?: readonly DecreedDay[]): boolean {
  return !isWeekend(day) && (closedDay(day, decreed)?.exchanges ?? true)
}

/** The last bank day before `day`, never `day` itself. */
export function bankDayBefore(day: Day, decreed?: readonly DecreedDay[]): Day {
  return lastBefore(day, (one) => isBankDay(one, decreed))
}

/**
 * The last business day before `day` as UVA counts business days: bank days, and days that a late
 * decree closed when their UVA had already been published.
 */
export function uvaDayBefore(day: Day): Day {
  return lastBefore(day, (day) => isBankDay(day) || (SINGLE_DAYS[day]?.late ?? false))
}

function lastBefore(day: Day, counts: (day: Day) => boolean): Day {
  let candidate = addDays(day, -1)
  while (!counts(candidate)) candidate = addDays(candidate, -1)

  return candidate
}

/** If a day is closed for two reasons, the reason that closes more comes last and wins. */
function closedDaysOf(year: number): ReadonlyMap<Day, ClosedDay> {
  const days = new Map<Day, ClosedDay>()
  const add = (day: Day, name: string, isHoliday: boolean) =>
    days.set(day, { name, isHoliday, exchanges: !isHoliday && exchangesWithoutBanks(day) })

  // Holy Thursday is a non-working day by law, 6 November by the banks' collective agreement.
  add(addDays(easterOf(year), -3), 'Jueves Santo', false)
  add(dayOf(year, '11-06'), 'Día del Bancario', false)
  for (const date of BRIDGE_DAYS[year]?.days ?? []) {
    add(dayOf(year, date), BRIDGE, year < BRIDGES_NON_WORKING_SINCE)
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

/** The `MM-DD` of the holidays that never move (article 1). */
const FIXED: Record<string, string> = {
  '01-01': 'Año Nuevo',
  '03-24': 'Día de la Memoria',
  '04-02': 'Día del Veterano y de los Caídos en Malvinas',
  '05-01': 'Día del Trabajador',
  '05-25': 'Revolución de Mayo',
  '06-20': 'Paso a la Inmortalidad de Manuel Belgrano',
  '07-09': 'Día de la Independencia',
  '12-08': 'Inmaculada Concepción',
  '12-25': 'Navidad',
}

/** The `MM-DD` of the movable holidays before they are moved (article 1). */
const MOVABLE: Record<string, string> = {
  '06-17': 'Paso a la Inmortalidad de Martín Miguel de Güemes',
  '08-17': 'Paso a la Inmortalidad de José de San Martín',
  '10-12': 'Día del Respeto a la Diversidad Cultural',
  '11-20': 'Día de la Soberanía Nacional',
}

/** Days by which a holiday moves, by the weekday of its own date, Sunday first (article 6). */
const SHIFT = [0, 0, -1, -2, 4, 3, 0]

/** The national holidays of a year with their names. Banks and exchanges close. */
function nationalHolidays(year: number): Map<Day, string> {
  const easter = easterOf(year)
  const days = new Map<Day, string>()
  for (const [date, name] of Object.entries(FIXED)) days.set(dayOf(year, date), name)
  days.set(addDays(easter, -48), 'Carnaval')
  days.set(addDays(easter, -47), 'Carnaval')
  days.set(addDays(easter, -2), 'Viernes Santo')
  for (const [date, name] of Object.entries(MOVABLE)) {
    const own = dayOf(year, date)
    const moved = MOVED_BY_DECISION[own]?.to ?? mondayOf(own)
    // If that Monday is already a holiday, the movable one stays, as in 2022 (decree 789/2021).
    days.set(days.has(moved) ? own : moved, name)
  }
  return days
}

/**
 * The day to which article 6 of the law moves a holiday: from Tuesday and Wednesday to the Monday
 * before, from Thursday and Friday to the Monday after. On other weekdays the holiday stays.
 */
function mondayOf(own: Day): Day {
  return addDays(own, SHIFT[weekday(own)]!)
}

/** Whether a day is the date of a movable holiday before it is moved. */
export function isMovable(day: Day): boolean {
  return day.slice(5) in MOVABLE
}

/** Easter Sunday of the Gregorian calendar (Meeus, Jones and Butcher). */
function easterOf(year: number): Day {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const e = b % 4
  const d = (b - e) / 4
  const g = Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3)
  const h = (19 * a + b - d - g + 15) % 30
  const k = c % 4
  const l = (32 + 2 * e + 2 * ((c - k) / 4) - h - k) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const n = h + l - 7 * m + 114
  return dayOf(year, `${padded(Math.floor(n / 31), 2)}-${padded((n % 31) + 1, 2)}`)
}

/** A day from a year and an `MM-DD`. Pads years before 1000, because requests may name any day. */
export function dayOf(year: number, date: string): Day {
  return `${padded(year, 4)}-${date}`
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0')
}
