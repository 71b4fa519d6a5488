/** Whether a key works, and how the service is. */
import * as z from 'zod'
import { MODES } from '../board/board.ts'
import { DOWN_REASONS, STATUS_WORDS } from '../board/status.ts'
import { MANAGEMENT_QUOTA } from '../limits.ts'
import { KEY_UNVERIFIED } from '../sentences.ts'
import { gateRefusals, gateUnavailable, json, privateJson } from './answers.ts'
import { argentineInstant, currency, day, origin, utcInstant } from './fields.ts'
import { named, operation, type Resource } from './operation.ts'

export const keyCheck = named('KeyCheck', 'La clave sirve; no se dice nada de la cuenta.', () => ({
  valid: z.literal(true),
}))

export const serviceStatus = named(
  'Status',
  'La salud del servicio, sin detalles internos.',
  () => ({
    status: z
      .enum(STATUS_WORDS)
      .describe(
        '`ok`: todos los pares al día; `degraded`: alguno no; `down`: ninguno, o ninguna fuente respondió.',
      ),
    reason: z
      .enum(DOWN_REASONS)
      .nullable()
      .describe(
        'Por qué está `down`, o null: `no_board` no hay nada publicado, `clock` el reloj del servicio no coincide con el de las fuentes y no se registra nada, `board_too_old` los ciclos no terminan, `no_source_answered` ninguna fuente respondió, `no_pair_fresh` ningún par está al día.',
      ),
    mode: z
      .enum(MODES)
      .nullable()
      .describe('De dónde salen los valores: fuentes reales, mercado simulado o repetición.'),
    generatedAt: argentineInstant().nullable().describe('Cuándo terminó el último ciclo.'),
    pairs: z.array(
      z.object({
        currency: currency(),
        origin: origin(),
        updatedAt: argentineInstant().nullable(),
        lastScrapedAt: argentineInstant().nullable(),
        fresh: z.boolean().describe('Si una fuente lo confirmó dentro del plazo del par.'),
        source: z.string().nullable().describe('La fuente en uso.'),
        held: z.boolean().describe('Si un valor más nuevo espera confirmación.'),
      }),
    ),
    sources: z.array(
      z.object({
        name: z.string(),
        lastSuccessAt: argentineInstant().nullable(),
        lastError: z
          .string()
          .nullable()
          .describe('Clase de la última falla desde el último éxito.'),
        everyMinutes: z.number().describe('Cada cuántos minutos se consulta.'),
      }),
    ),
    calendar: z
      .object({
        added: z.array(day()).describe('Feriados que agrega el archivo público: se toman.'),
        lacking: z.array(day()).describe('Feriados que el archivo no tiene: quedan.'),
        mayBeHoliday: day()
          .nullable()
          .describe('El día hábil del que ningún banco publicó su tabla, si puede ser feriado.'),
      })
      .describe('Lo que el archivo público de feriados dice distinto.'),
    deliveries: z
      .object({
        canSend: z.boolean().describe('Si las entregas pueden salir del servicio.'),
        outstanding: z.int().describe('Entregas aceptadas y sin terminar.'),
        oldestWaitingAt: utcInstant().nullable(),
        deliveredLastHour: z.int(),
        deadLastHour: z.int(),
      })
      .nullable()
      .describe('Cómo van las entregas de webhooks.'),
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
