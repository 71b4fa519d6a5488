import { MANAGEMENT_QUOTA } from '../../../shared/db/accounts/quotas.ts'
import {
  json,
  listOf,
  orCsv,
  privateJson,
  privateRefusal,
  quotaExhausted,
  ref,
  unauthorized,
  unavailable,
} from './responses.ts'
import * as examples from './examples.ts'
import type { ApiResponse, Operation, PathItem } from './openapi.ts'
import { currency, historyQuery, origin } from './parameters.ts'
import { withKey } from './security.ts'
import { HISTORY_LIMIT, KEY_UNVERIFIED, QUOTE_NOT_FOUND } from '../../../shared/sentences.ts'

/** History and the key check, which need a key; and the status, which does not. */
export const privatePaths: Record<string, PathItem> = {
  '/api/v2/{currency}/{origin}/history': {
    get: historyRead({
      operationId: 'listHistory',
      summary: 'Historial de un par',
      description: 'Cada cambio de valor, del más nuevo al más viejo.',
      ok: orCsv(
        privateJson('Los cambios.', listOf('HistoryPoint'), [examples.historyPoint]),
        examples.historyCsv,
      ),
    }),
  },
  '/api/v2/history/{currency}/{origin}': {
    get: historyRead({
      operationId: 'listCandles',
      summary: 'Velas diarias de un par',
      description:
        'Apertura, máximo, mínimo y cierre de la venta de cada día argentino, del más nuevo al más viejo. Un día sin cambios repite el valor; los anteriores al primer valor no están.',
      ok: orCsv(privateJson('Las velas.', ref('Candles'), examples.candles), examples.candlesCsv),
    }),
  },
  '/api/v2/auth/check': {
    get: {
      operationId: 'checkKey',
      summary: 'Verificar una clave',
      description: `Si la clave sirve, sin datos de la cuenta. Cuenta para la cuota de gestión de ${MANAGEMENT_QUOTA} por minuto.`,
      tags: ['Clave'],
      security: withKey,
      responses: {
        '200': privateJson('La clave sirve.', ref('KeyCheck'), { valid: true }),
        '401': unauthorized,
        '429': quotaExhausted,
        '503': gateUnavailable(),
      },
    },
  },
  '/api/v2/status': {
    get: {
      operationId: 'readStatus',
      summary: 'Estado del servicio',
      description: 'Frescura de cada par, salud de cada fuente y entregas. Nunca falla.',
      tags: ['Estado'],
      security: [],
      responses: { '200': json('El estado.', ref('Status'), examples.status) },
    },
  },
}

function historyRead(
  read: Pick<Operation, 'operationId' | 'summary' | 'description'> & { ok: ApiResponse },
): Operation {
  const { ok, ...described } = read
  return {
    ...described,
    tags: ['Historial'],
    security: withKey,
    parameters: [currency, origin, ...historyQuery],
    responses: {
      '200': ok,
      '400': privateRefusal(
        'Un parámetro no es válido, se repite o no existe, o `from` es posterior a `to`.',
        HISTORY_LIMIT,
      ),
      '401': unauthorized,
      '404': privateRefusal('El par no existe.', QUOTE_NOT_FOUND),
      '429': quotaExhausted,
      '503': gateUnavailable(),
    },
  }
}

function gateUnavailable(): ApiResponse {
  return unavailable(
    'La clave no se puede verificar ahora, la base no responde, o se agotó la capacidad diaria.',
    KEY_UNVERIFIED,
  )
}
