/** The Spanish texts of the status page. */
import type { Instant } from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'
import { type DownReason, mayBeHoliday, type StatusWord } from '../../../shared/board/status.ts'
import { dayText } from '../../../shared/market/spanish-text.ts'

export const HEADLINES: Readonly<Record<StatusWord, string>> = {
  ok: 'Todo funciona',
  degraded: 'Algunas cotizaciones están demoradas',
  down: 'El servicio no está actualizando cotizaciones',
}

export const REASONS: Readonly<Record<DownReason, string>> = {
  no_board: 'Todavía no se publicó ningún ciclo.',
  clock: 'El reloj del servicio está mal: no se registra nada hasta que esté en hora.',
  board_too_old: 'Hace más de 15 minutos que no termina ningún ciclo.',
  no_source_answered: 'En el último ciclo no respondió ninguna fuente.',
  no_pair_fresh: 'Ninguna cotización está al día.',
}

/** What is uncertain about the calendar of banks. */
export function doubtsOf(board: Board | null, now: Instant): string[] {
  const day = board && mayBeHoliday(board, now)
  const lacking = board?.lacking ?? []
  return [
    ...(day ? [`Ningún banco publicó su tabla del ${dayText(day)}: puede ser un feriado.`] : []),
    ...(lacking.length > 0
      ? [
          `El archivo público de feriados no tiene ${lacking.map(dayText).join(', ')}; el calendario sí.`,
        ]
      : []),
  ]
}

const FAILURES: Readonly<Record<string, string>> = {
  timeout: 'no respondió a tiempo',
  http: 'respondió con un error',
  format: 'cambió de formato',
  network: 'fuera de alcance',
  too_large: 'mandó demasiados datos',
  empty: 'no trajo datos',
  internal: 'falló nuestro programa',
}

export function failure(lastError: string): string {
  return FAILURES[lastError] ?? 'no respondió bien'
}
