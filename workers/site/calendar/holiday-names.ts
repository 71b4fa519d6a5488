/** What a closed day is called. The dates come from `shared/market/holidays.ts`; these are only names. */
import {
  addDays,
  type Day,
  daysBetween,
  dayStart,
  weekday,
} from '../../../shared/argentine-time.ts'
import { isBankHoliday, isHoliday, isWeekend } from '../../../shared/market/holidays.ts'

/** `MM-DD` of what never moves. */
const FIXED: Record<string, string> = {
  '01-01': 'Año Nuevo',
  '03-24': 'Día de la Memoria',
  '04-02': 'Día del Veterano y de los Caídos en Malvinas',
  '05-01': 'Día del Trabajador',
  '05-25': 'Revolución de Mayo',
  '06-20': 'Paso a la Inmortalidad de Manuel Belgrano',
  '07-09': 'Día de la Independencia',
  '11-06': 'Día del Bancario',
  '12-08': 'Inmaculada Concepción',
  '12-25': 'Navidad',
}

/** Of one year alone. */
const ONCE: Record<Day, string> = {
  '2022-05-18': 'Censo nacional',
  '2022-09-02': 'Feriado nacional por decreto',
  '2022-12-20': 'Feriado nacional por el Mundial',
}

/** Own date of the holidays that the law moves to a Monday, the one before or the one after. */
const MOVED: Record<string, string> = {
  '06-17': 'Paso a la Inmortalidad de Martín Miguel de Güemes',
  '08-17': 'Paso a la Inmortalidad de José de San Martín',
  '10-12': 'Día del Respeto a la Diversidad Cultural',
  '11-20': 'Día de la Soberanía Nacional',
}
const MONDAY = 1

/** The name of a holiday or bank holiday; null for a day that is neither. */
export function holidayName(day: Day): string | null {
  if (!isHoliday(day) && !isBankHoliday(day)) return null

  const date = day.slice(5)
  return ONCE[day] ?? ofEaster(day) ?? FIXED[date] ?? moved(day) ?? 'Puente turístico'
}

/** Why nobody trades on a day, or why only banks do not; null on a day of business. */
export function closedReason(day: Day): string | null {
  const name = holidayName(day)
  if (name) {
    return isHoliday(day) ? `Feriado: ${name}` : `Sin bancos: ${name}`
  }
  if (!isWeekend(day)) return null
  return weekday(dayStart(day)) === 0 ? 'Domingo' : 'Sábado'
}

function ofEaster(day: Day): string | null {
  const easter = easterOf(Number(day.slice(0, 4)))
  if (day === addDays(easter, -48) || day === addDays(easter, -47)) return 'Carnaval'
  if (day === addDays(easter, -3)) return 'Jueves Santo'
  return day === addDays(easter, -2) ? 'Viernes Santo' : null
}

/** On its own date, or on the nearest Monday when its own date is a day of business. */
function moved(day: Day): string | null {
  if (MOVED[day.slice(5)]) return MOVED[day.slice(5)]!
  if (weekday(dayStart(day)) !== MONDAY) return null

  const found = Object.entries(MOVED).find(([date]) => {
    const own = `${day.slice(0, 4)}-${date}`
    return Math.abs(daysBetween(own, day)) <= 4 && !isHoliday(own)
  })
  return found ? found[1] : null
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
  return `${year}-${twoDigits(Math.floor(n / 31))}-${twoDigits((n % 31) + 1)}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
