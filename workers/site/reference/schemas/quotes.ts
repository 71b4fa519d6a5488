/** The responses of quotes, dates and history. Live responses are tested against these. */
import * as z from 'zod'
import {
  argentineInstant,
  currency,
  day,
  origin,
  pairName,
  utcInstant,
  valueType,
} from './common.ts'
import { MODES } from '../../../../shared/board/board.ts'
import { DOWN_REASONS, STATUS_WORDS } from '../../../../shared/board/status.ts'
import { MAX_HISTORY_POINTS } from '../../../../shared/limits.ts'

const quoteFields = {
  currency,
  name: pairName,
  origin,
  buy: z
    .number()
    .nullable()
    .describe('Precio de compra en pesos. En los índices y valores únicos es igual a `sell`.'),
  sell: z.number().nullable().describe('Precio de venta en pesos, o el valor del índice.'),
  updatedAt: argentineInstant.describe('Cuándo cambió el valor por última vez, hora argentina.'),
  lastScrapedAt: argentineInstant.describe('Cuándo lo confirmó por última vez una fuente.'),
  valueType,
}

export const quote = z.object(quoteFields).describe('Una cotización actual, como en las listas.')

export const change = z
  .object({
    amount: z.number().describe('Diferencia contra `referenceValue`; negativa si bajó.'),
    percent: z.number().describe('La misma diferencia en por ciento, con 2 decimales.'),
    referenceValue: z
      .number()
      .describe('La última venta anterior a la medianoche argentina de hoy.'),
  })
  .describe('La variación del día.')

export const currentQuote = z
  .object({
    ...quoteFields,
    change: change.nullable().describe('`null` si el par no tenía valor antes de la medianoche.'),
  })
  .describe('Una cotización actual con la variación del día.')

export const legacyQuote = z
  .object({
    moneda: currency,
    nombre: pairName,
    origen: origin,
    compra: z.number().nullable().describe('Precio de compra en pesos.'),
    venta: z.number().nullable().describe('Precio de venta en pesos, o el valor del índice.'),
    actualizado: argentineInstant.describe('Cuándo cambió el valor por última vez.'),
  })
  .describe('Una cotización de la generación 1: los datos de v2 con nombres en castellano.')

export const datedQuote = z
  .object({
    requestedAt: argentineInstant.describe('Instante pedido; sin `time`, el fin del día.'),
    currency,
    name: pairName,
    origin,
    buy: z
      .number()
      .nullable()
      .describe('`null` si el par todavía no cotizaba, o si el valor supera `max_age`.'),
    sell: z.number().nullable().describe('`null` en los mismos casos que `buy`.'),
    valueType,
    quotedAt: argentineInstant.nullable().describe('Instante del valor vigente.'),
    sameDay: z.boolean().describe('Si `quotedAt` es del mismo día argentino que el pedido.'),
    daysStale: z.int().nullable().describe('Días argentinos de antigüedad del valor.'),
    ageSeconds: z.int().nullable().describe('Antigüedad del valor en segundos.'),
  })
  .describe('El valor vigente en el instante pedido, nunca uno posterior.')

export const historyPoint = z
  .object({
    buy: z.number().nullable().describe('Precio de compra.'),
    sell: z.number().nullable().describe('Precio de venta o valor.'),
    createdAt: argentineInstant.describe('Desde cuándo rigió.'),
  })
  .describe('Un cambio de valor.')

export const candle = z
  .object({
    date: day.describe('Día argentino.'),
    open: z.number().describe('Venta vigente al comenzar el día.'),
    high: z.number().describe('La más alta, contando `open`.'),
    low: z.number().describe('La más baja, contando `open`.'),
    close: z.number().describe('La última del día; hoy, la de ahora.'),
    buy: z.number().describe('La última compra del día.'),
  })
  .describe('Un día de un par.')

export const candles = z
  .object({
    currency,
    name: pairName,
    origin,
    valueType,
    interval: z.literal('day'),
    points: z.array(candle).max(MAX_HISTORY_POINTS).describe('Del más nuevo al más viejo.'),
  })
  .describe('Velas diarias de un par.')

export const keyCheck = z
  .object({ valid: z.literal(true) })
  .describe('La clave sirve; no se dice nada de la cuenta.')

export const serviceStatus = z
  .object({
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
    generatedAt: argentineInstant.nullable().describe('Cuándo terminó el último ciclo.'),
    pairs: z.array(
      z.object({
        currency,
        origin,
        updatedAt: argentineInstant.nullable(),
        lastScrapedAt: argentineInstant.nullable(),
        fresh: z.boolean().describe('Si una fuente lo confirmó dentro del plazo del par.'),
        source: z.string().nullable().describe('La fuente en uso.'),
        held: z.boolean().describe('Si un valor más nuevo espera confirmación.'),
      }),
    ),
    sources: z.array(
      z.object({
        name: z.string(),
        lastSuccessAt: argentineInstant.nullable(),
        lastError: z
          .string()
          .nullable()
          .describe('Clase de la última falla desde el último éxito.'),
        everyMinutes: z.number().describe('Cada cuántos minutos se consulta.'),
      }),
    ),
    deliveries: z
      .object({
        canSend: z.boolean().describe('Si las entregas pueden salir del servicio.'),
        outstanding: z.int().describe('Entregas aceptadas y sin terminar.'),
        oldestWaitingAt: utcInstant.nullable(),
        deliveredLastHour: z.int(),
        deadLastHour: z.int(),
      })
      .nullable()
      .describe('Cómo van las entregas de webhooks.'),
  })
  .describe('La salud del servicio, sin detalles internos.')
