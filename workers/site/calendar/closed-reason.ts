import { type Day, dayStart, weekday } from '../../../shared/argentine-time.ts'
import { closedDay, type DecreedDay, isWeekend } from '../../../shared/market/holidays.ts'

/** Why banks, or banks and exchanges, are closed on a day; null on a business day. */
export function closedReason(day: Day, decreed?: readonly DecreedDay[]): string | null {
  const closed = closedDay(day, decreed)
  if (closed) {
    if (closed.isHoliday) return `Feriado: ${closed.name}`
    return `Sin bancos${closed.exchanges ? '' : ' ni mercados'}: ${closed.name}`
  }
  if (!isWeekend(day)) return null
  return weekday(dayStart(day)) === 0 ? 'Domingo' : 'Sábado'
}
