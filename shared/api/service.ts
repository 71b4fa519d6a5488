/** Whether a key works, and how the service is. */
import * as z from 'zod/mini'
import { MODES } from '../board/board.ts'
import { DOWN_REASONS, STATUS_WORDS } from '../board/status.ts'
import { MANAGEMENT_QUOTA } from '../limits.ts'
import { KEY_UNVERIFIED } from '../sentences.ts'
import { gateRefusals, gateUnavailable, json, privateJson } from './answers.ts'
import { argentineInstant, currency, day, origin, utcInstant } from './fields.ts'
import { doc, named, operation, type Resource } from './operation.ts'

export const keyCheck = named('KeyCheck', 'La clave sirve; no se dice nada de la cuenta.', () => ({
  valid: z.literal(true),
}))

export const serviceStatus = named(
  'Status',
  'La salud del servicio, sin detalles internos.',
  () => ({
    status: doc(
      z.enum(STATUS_WORDS),
      '`ok`: todos los pares al día; `degraded`: alguno no; `down`: ninguno, o ninguna fuente respondió.',
    ),
    reason: doc(
      z.nullable(z.enum(DOWN_REASONS)),
      'Por qué está `down`, o null: `no_board` no hay nada publicado, `clock` el reloj del servicio no coincide con el de las fuentes y no se registra nada, `board_too_old` los ciclos no terminan, `no_source_answered` ninguna fuente respondió, `no_pair_fresh` ningún par está al día.',
    ),
    mode: doc(
      z.nullable(z.enum(MODES)),
      'De dónde salen los valores: fuentes reales, mercado simulado o repetición.',
    ),
    generatedAt: doc(z.nullable(argentineInstant()), 'Cuándo terminó el último ciclo.'),
    pairs: z.array(
      z.object({
        currency: currency(),
        origin: origin(),
        updatedAt: z.nullable(argentineInstant()),
        lastScrapedAt: z.nullable(argentineInstant()),
        fresh: doc(z.boolean(), 'Si una fuente lo confirmó dentro del plazo del par.'),
        source: doc(z.nullable(z.string()), 'La fuente en uso.'),
        held: doc(z.boolean(), 'Si un valor más nuevo espera confirmación.'),
      }),
    ),
    sources: z.array(
      z.object({
        name: z.string(),
        lastSuccessAt: z.nullable(argentineInstant()),
        lastError: doc(z.nullable(z.string()), 'Clase de la última falla desde el último éxito.'),
        everyMinutes: doc(z.number(), 'Cada cuántos minutos se consulta.'),
      }),
    ),
    calendar: doc(
      z.object({
        added: doc(z.array(day()), 'Feriados que agrega el archivo público: se toman.'),
        lacking: doc(z.array(day()), 'Feriados que el archivo no tiene: quedan.'),
        mayBeHoliday: doc(
          z.nullable(day()),
          'El día hábil del que ningún banco publicó su tabla, si puede ser feriado.',
        ),
      }),
      'Lo que el archivo público de feriados dice distinto.',
    ),
    deliveries: doc(
      z.nullable(
        z.object({
          canSend: doc(z.boolean(), 'Si las entregas pueden salir del servicio.'),
          outstanding: doc(z.int(), 'Entregas aceptadas y sin terminar.'),
          oldestWaitingAt: z.nullable(utcInstant()),
          deliveredLastHour: z.int(),
          deadLastHour: z.int(),
        }),
      ),
      'Cómo van las entregas de webhooks.',
    ),
  }),
)

const example = {
  status: 'ok',
  reason: null,
  mode: 'live',
  generatedAt: '2026-03-02T12:00:00.000-03:00',
  pairs: [
    {
      currency: 'USD',
      origin: 'BLUE',
      updatedAt: '2026-03-02T11:55:00.000-03:00',
      lastScrapedAt: '2026-03-02T12:00:00.000-03:00',
      fresh: true,
      source: 'ambito-blue',
      held: false,
    },
  ],
  sources: [
    {
      name: 'ambito-blue',
      lastSuccessAt: '2026-03-02T12:00:00.000-03:00',
      lastError: null,
      everyMinutes: 5,
    },
  ],
  calendar: { added: [], lacking: [], mayBeHoliday: null },
  deliveries: {
    canSend: true,
    outstanding: 0,
    oldestWaitingAt: null,
    deliveredLastHour: 12,
    deadLastHour: 0,
  },
}

export const checkKey = operation({
  id: 'checkKey',
  method: 'get',
  path: '/api/v2/auth/check',
  tag: 'Clave',
  key: true,
  summary: 'Verificar una clave',
  description: `Si la clave sirve, sin datos de la cuenta. Cuenta para la cuota de gestión de ${MANAGEMENT_QUOTA} por minuto.`,
  answers: (terms) => ({
    200: privateJson('La clave sirve.', keyCheck(), { valid: true }),
    ...gateRefusals(terms),
    503: gateUnavailable(KEY_UNVERIFIED),
  }),
})

export const readStatus = operation({
  id: 'readStatus',
  method: 'get',
  path: '/api/v2/status',
  tag: 'Estado',
  summary: 'Estado del servicio',
  description: 'Frescura de cada par, salud de cada fuente y entregas. Nunca falla.',
  answers: () => ({ 200: json('El estado.', serviceStatus(), example) }),
})

export const key: Resource = {
  tag: { name: 'Clave', description: 'Si una clave sirve.' },
  operations: [checkKey],
}

export const status: Resource = {
  tag: { name: 'Estado', description: 'Cómo anda el servicio.' },
  operations: [readStatus],
}
