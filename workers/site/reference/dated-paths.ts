import {
  dateLimit,
  listOf,
  notModified,
  orCsv,
  publicJson,
  ref,
  refusal,
  unavailable,
} from './responses.ts'
import * as examples from './examples.ts'
import type { Terms } from './limits.ts'
import type { ApiResponse, Operation, Parameter, PathItem } from './openapi.ts'
import { currency, date, dateQuery, ifNoneMatch, origin } from './parameters.ts'
import { DATE_AHEAD, QUOTES_UNAVAILABLE, QUOTE_NOT_FOUND } from '../../../shared/sentences.ts'

/** The reads as of a date: of everything, of a currency, of a pair. */
export const datedPaths = (terms: Terms): Record<string, PathItem> => ({
  '/api/v2/date/{date}': {
    get: datedRead(terms, {
      operationId: 'listQuotesAsOf',
      summary: 'Todos los pares a una fecha',
      what: 'Los valores vigentes de todos los pares, en el orden del catálogo.',
      path: [date],
      ok: publicJson('Los valores.', listOf('DatedQuote'), [examples.datedQuote]),
    }),
  },
  '/api/v2/date/{date}/{currency}': {
    get: datedRead(terms, {
      operationId: 'listQuotesOfCurrencyAsOf',
      summary: 'Una moneda a una fecha',
      what: 'Los valores vigentes de los pares de la moneda, en el orden del catálogo.',
      path: [date, currency],
      ok: publicJson('Los valores.', listOf('DatedQuote'), [examples.datedQuote]),
    }),
  },
  '/api/v2/date/{date}/{currency}/{origin}': {
    get: datedRead(terms, {
      operationId: 'readQuoteAsOf',
      summary: 'Un par a una fecha',
      what: 'El valor vigente del par.',
      path: [date, currency, origin],
      ok: publicJson('El valor.', ref('DatedQuote'), examples.datedQuote),
    }),
  },
})

interface DatedRead {
  operationId: string
  summary: string
  what: string
  path: Parameter[]
  ok: ApiResponse
}

function datedRead(terms: Terms, read: DatedRead): Operation {
  const { operationId, summary, what, path, ok } = read
  const narrower = path.length > 1

  return {
    operationId,
    summary,
    description: `${what} Es el último en o antes del instante pedido, nunca uno posterior; un par que todavía no cotizaba vuelve con nulos. Un día cerrado se puede guardar 24 horas; hoy, 60 segundos. Otros parámetros son 400.`,
    tags: ['Por fecha'],
    security: [],
    parameters: [...path, ...dateQuery, ifNoneMatch],
    responses: {
      '200': orCsv(ok, examples.datedCsv),
      '304': notModified,
      '400': refusal(
        'Fecha, `time`, `max_age` o `format` inválidos, fecha futura u otro parámetro.',
        DATE_AHEAD,
      ),
      ...(narrower && {
        '404': refusal('La moneda o el par no existe.', QUOTE_NOT_FOUND),
      }),
      '429': dateLimit(terms),
      '503': unavailable('La base no responde por unos segundos.', QUOTES_UNAVAILABLE),
    },
  }
}
