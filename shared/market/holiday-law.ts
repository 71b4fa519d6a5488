/**
 * The holidays that law 27.399 sets for every year: fixed ones, those that move to a Monday, and
 * those that follow Easter. What is decided year by year is in decreed-days.ts. Pure.
 */
import { addDays, type Day, dayStart, weekday } from '../argentine-time.ts'
import { MOVED_BY_DECISION } from './decreed-days.ts'

/** `MM-DD` of what never moves (article 1). */
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

/** Own `MM-DD` of those that move (article 1). */
const MOVABLE: Record<string, string> = {
  '06-17': 'Paso a la Inmortalidad de Martín Miguel de Güemes',
  '08-17': 'Paso a la Inmortalidad de José de San Martín',
  '10-12': 'Día del Respeto a la Diversidad Cultural',
  '11-20': 'Día de la Soberanía Nacional',
}

/** Days to the day of observance, by weekday of the holiday's own date, Sunday first (article 6). */
const SHIFT = [0, 0, -1, -2, 4, 3, 0]

/** The national holidays of a year with their names: no bank and no exchange opens. */
export function nationalHolidays(year: number): Map<Day, string> {
  const easter = easterOf(year)
  const days = new Map<Day, string>()
  for (const [date, name] of Object.entries(FIXED)) days.set(dayOf(year, date), name)
  days.set(addDays(easter, -48), 'Carnaval')
  days.set(addDays(easter, -47), 'Carnaval')
  days.set(addDays(easter, -2), 'Viernes Santo')
  for (const [date, name] of Object.entries(MOVABLE)) {
    const own = dayOf(year, date)
    const moved = MOVED_BY_DECISION[own]?.to ?? mondayOf(own)
    // On a Monday that is a holiday already it stays where it is, as in 2022 (decree 789/2021).
    days.set(days.has(moved) ? own : moved, name)
  }
  return days
}

/**
 * Where article 6 of the law puts a movable holiday: from Tuesday and Wednesday to the Monday
 * before, from Thursday and Friday to the Monday after. On other days it stays.
 */
function mondayOf(own: Day): Day {
  return addDays(own, SHIFT[weekday(dayStart(own))]!)
}

/** Whether a day is the own date of a holiday that moves. */
export function isMovable(day: Day): boolean {
  return day.slice(5) in MOVABLE
}

/** Easter Sunday of the Gregorian calendar (Meeus, Jones and Butcher). */
export function easterOf(year: number): Day {
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

/** The `MM-DD` of a year, also of one with fewer digits, for readers may ask for any day. */
export function dayOf(year: number, date: string): Day {
  return `${padded(year, 4)}-${date}`
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0')
}
