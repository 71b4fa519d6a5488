import { type Day, dayStart, weekday } from '../../../shared/argentine-time.ts'
import { closedDay, isWeekend } from '../../../shared/market/holidays.ts'

/** Why nobody trades on a day, or why only banks do not; null on a day of business. */
export function closedReason(day: Day): string | null {
  const closed = closedDay(day)
  if (closed) {
    if (closed.isHoliday) return `Feriado: ${closed.name}`
    return `Sin bancos${closed.exchanges ? '' : ' ni mercados'}: ${closed.name}`
  }
  if (!isWeekend(day)) return null
  return weekday(dayStart(day)) === 0 ? 'Domingo' : 'Sábado'
}
