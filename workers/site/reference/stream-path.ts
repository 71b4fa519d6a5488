import { refusal, unavailable } from './answers.ts'
import * as examples from './examples.ts'
import type { PathItem } from './openapi.ts'

const EXAMPLE = `id: 1772463300000-3\nevent: quote\ndata: ${JSON.stringify(examples.currentQuote)}\n\n`

const tooMany = unavailable(
  'Demasiadas conexiones desde la misma dirección.',
  'Hay demasiadas conexiones abiertas desde tu dirección',
)

/** The stream of changes, as server-sent events. */
export const streamPath: Record<string, PathItem> = {
  '/api/v2/stream': {
    get: {
      operationId: 'streamQuotes',
      summary: 'Cambios en el momento (SSE)',
      description:
        'Eventos del servidor (`text/event-stream`): un evento `quote` por par al conectar y con cada cambio, con el objeto `CurrentQuote` en `data`. La conexión dura un tiempo limitado; los navegadores reconectan solos con `Last-Event-ID` y reciben lo que falta.',
      tags: ['Cotizaciones actuales'],
      security: [],
      parameters: [
        {
          name: 'pairs',
          in: 'query',
          description: 'Pares separados por comas; sin él, todos.',
          schema: { type: 'string' },
          example: 'usd/blue,usd/bolsa',
        },
        {
          name: 'Last-Event-ID',
          in: 'header',
          description: 'El `id` del último evento recibido: los anteriores no se repiten.',
          schema: { type: 'string' },
        },
      ],
      responses: {
        '200': {
          description: 'Los eventos, hasta que la conexión termina.',
          headers: {
            'Cache-Control': {
              description: 'Nunca se guarda.',
              required: true,
              schema: { const: 'no-store, no-transform' },
            },
          },
          content: { 'text/event-stream': { schema: { type: 'string' }, example: EXAMPLE } },
        },
        '400': refusal(
          '`pairs` no es válido o se repite.',
          'El parámetro pairs debe tener la forma usd/blue,usd/bolsa',
        ),
        '404': refusal('Un par no existe.', 'Cotización no encontrada'),
        '429': tooMany,
        '503': unavailable(
          'No hay lugar para más conexiones.',
          'No hay lugar para más conexiones en este momento',
        ),
      },
    },
  },
}
