import {
  currencyNotFound,
  listOf,
  noData,
  notModified,
  pairNotFound,
  publicJson,
  ref,
} from './responses.ts'
import * as examples from './examples.ts'
import type { ApiResponse, Operation, PathItem } from './openapi.ts'
import { currency, ifNoneMatch, origin } from './parameters.ts'
import { SERVICE_UNAVAILABLE } from '../../../shared/sentences.ts'

const CACHE =
  'Se puede guardar 60 segundos. Un valor nuevo tarda hasta 60 segundos en llegar a esta lectura, y hasta 120 a quien guarda la respuesta; el stream lo manda en el momento. Los parámetros de consulta se ignoran, salvo los de planillas (`format`, en los agregados).'

/** The current reads: of everything, of a currency, of a pair, in both generations. */
export const currentPaths: Record<string, PathItem> = {
  '/api/v2/quotes': {
    get: currentRead({
      operationId: 'listQuotes',
      summary: 'Todas las cotizaciones actuales',
      description: `La lista de todos los pares cotizados, en el orden del catálogo. ${CACHE}`,
      tags: ['Cotizaciones actuales'],
      ok: publicJson('Las cotizaciones.', listOf('Quote'), [examples.quote]),
    }),
  },
  '/api/v2/{currency}': {
    get: currentRead({
      operationId: 'listQuotesOfCurrency',
      summary: 'Cotizaciones actuales de una moneda',
      description: `Una cotización por origen. ${CACHE}`,
      tags: ['Cotizaciones actuales'],
      parameters: [currency],
      ok: publicJson('Las cotizaciones de la moneda.', listOf('Quote'), [examples.quote]),
      notFound: currencyNotFound,
    }),
  },
  '/api/v2/{currency}/{origin}': {
    get: currentRead({
      operationId: 'readQuote',
      summary: 'Cotización actual de un par',
      description: `El valor vigente y su variación desde la medianoche argentina. ${CACHE}`,
      tags: ['Cotizaciones actuales'],
      parameters: [currency, origin],
      ok: publicJson('La cotización.', ref('CurrentQuote'), examples.currentQuote),
      notFound: pairNotFound,
    }),
  },
  '/api/{currency}': {
    get: currentRead({
      operationId: 'listLegacyQuotes',
      summary: 'Cotizaciones de una moneda (v1)',
      description: `La generación 1, estable: los mismos datos con nombres en castellano. ${CACHE}`,
      tags: ['Generación 1'],
      parameters: [currency],
      ok: publicJson('Las cotizaciones de la moneda.', listOf('LegacyQuote'), [
        examples.legacyQuote,
      ]),
      notFound: currencyNotFound,
    }),
  },
  '/api/{currency}/{origin}': {
    get: currentRead({
      operationId: 'readLegacyQuote',
      summary: 'Cotización de un par (v1)',
      description: `La generación 1, estable: los mismos datos con nombres en castellano. ${CACHE}`,
      tags: ['Generación 1'],
      parameters: [currency, origin],
      ok: publicJson('La cotización.', ref('LegacyQuote'), examples.legacyQuote),
      notFound: pairNotFound,
    }),
  },
}

function currentRead({
  ok,
  notFound,
  parameters = [],
  ...described
}: Omit<Operation, 'responses'> & { ok: ApiResponse; notFound?: ApiResponse }): Operation {
  return {
    ...described,
    security: [],
    parameters: [...parameters, ifNoneMatch],
    responses: {
      '200': ok,
      '304': notModified,
      ...(notFound && { '404': notFound }),
      '503': noData(SERVICE_UNAVAILABLE),
    },
  }
}
