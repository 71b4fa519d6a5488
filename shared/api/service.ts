/** Whether a key works, and the status of the service. */
import * as z from 'zod/mini'
import { MODES } from '../board/board.ts'
import { STATUS_REASONS, STATUS_WORDS } from '../board/status.ts'
import { MANAGEMENT_QUOTA } from '../limits.ts'
import { KEY_UNVERIFIED, NOT_READY } from '../sentences.ts'
import { gateRefusals, json, privateJson, unavailable } from './answers.ts'
import { argentineInstant, currency, day, origin, utcInstant } from './fields.ts'
import { doc, named, operation, resource } from './operation.ts'

const keyCheck = named('KeyCheck', 'La clave sirve; no se dice nada de la cuenta.', () => ({
  valid: z.literal(true),
}))

export const serviceStatus = named(
  'Status',
  'La salud del servicio, sin detalles internos.',
  () => ({
    status: doc(
      z.enum(STATUS_WORDS),
      '`ok`: todos los pares al día; `degraded`: alguno no, o falta un ciclo; `down`: ninguno, o ninguna fuente respondió.',
    ),
    reason: doc(
      z.nullable(z.enum(STATUS_REASONS)),
      'Por qué está `down`, o null: `no_board` no hay nada publicado, `clock` el reloj del servicio no coincide con el de las fuentes y no se registra nada, `board_too_old` los ciclos no terminan, `no_source_answered` ninguna fuente respondió, `no_pair_fresh` ningún par está al día. En `degraded`, `cycle_missed`: el último ciclo no terminó.',
      null,
    ),
    mode: doc(z.nullable(z.enum(MODES)), 'Fuentes reales, mercado simulado o repetición.'),
    generatedAt: doc(z.nullable(argentineInstant()), 'Cuándo terminó el último ciclo.'),
    pairs: z.array(
      z.object({
        currency: currency(),
        origin: origin(),
        updatedAt: z.nullable(argentineInstant()),
        lastScrapedAt: z.nullable(argentineInstant()),
        fresh: doc(z.boolean(), 'Si una fuente lo confirmó dentro del plazo del par.'),
        source: doc(z.nullable(z.string()), 'La fuente en uso.', 'ambito-blue'),
        held: doc(z.boolean(), 'Si un valor más nuevo espera confirmación.', false),
      }),
    ),
    sources: z.array(
      z.object({
        name: doc(z.string(), '', 'ambito-blue'),
        lastSuccessAt: z.nullable(argentineInstant()),
        lastError: doc(z.nullable(z.string()), 'Clase de la última falla desde ese éxito.', null),
        everyMinutes: doc(z.number(), 'Cada cuántos minutos se consulta.', 5),
      }),
    ),
    calendar: doc(
      z.object({
        added: doc(z.array(day()), 'Feriados que agrega el archivo público: se toman.', []),
        lacking: doc(z.array(day()), 'Feriados que el archivo no tiene: quedan.', []),
        mayBeHoliday: doc(z.nullable(day()), 'Un día sin tabla bancaria: puede ser feriado.', null),
      }),
      'Lo que el archivo público de feriados dice distinto.',
    ),
    deliveries: doc(
      z.nullable(
        z.object({
          canSend: doc(z.boolean(), 'Si las entregas pueden salir del servicio.'),
          outstanding: doc(z.int(), 'Entregas aceptadas y sin terminar.', 0),
          oldestWaitingAt: doc(z.nullable(utcInstant()), '', null),
          deliveredLastHour: doc(z.int(), '', 12),
          deadLastHour: doc(z.int(), '', 0),
        }),
      ),
      'Cómo van las entregas de webhooks.',
    ),
  }),
)

export const checkKey = operation({
  id: 'checkKey',
  method: 'get',
  path: '/api/v2/auth/check',
  key: true,
  summary: 'Verificar una clave',
  description: `Si la clave sirve, sin datos de la cuenta. Cuenta para la cuota de gestión de ${MANAGEMENT_QUOTA} por minuto.`,
  answers: (deployment) => ({
    200: privateJson('La clave sirve.', keyCheck()),
    ...gateRefusals(deployment, KEY_UNVERIFIED),
  }),
})

export const readStatus = operation({
  id: 'readStatus',
  method: 'get',
  path: '/api/v2/status',
  summary: 'Estado del servicio',
  description: 'Frescura de cada par, salud de cada fuente y entregas. Nunca falla.',
  answers: () => ({ 200: json('El estado.', serviceStatus()) }),
})

export const readReadiness = operation({
  id: 'readReadiness',
  method: 'get',
  path: '/api/v2/ready',
  summary: 'Si el servicio está listo',
  description:
    'Para monitores y balanceadores, que miran el código: 503 cuando el estado es `down` o la base todavía no tiene tablas, 200 si no.',
  answers: () => ({
    200: json('Está listo.', z.object({ ready: z.literal(true) })),
    503: unavailable('No hay valores, están viejos, o faltan las tablas.', NOT_READY),
  }),
})

export const key = resource('Clave', 'Si una clave sirve.', [checkKey])

export const status = resource('Estado', 'Cómo anda el servicio.', [readStatus])

export const readiness = resource('Disponibilidad', 'Si el servicio está listo, por su código.', [
  readReadiness,
])
