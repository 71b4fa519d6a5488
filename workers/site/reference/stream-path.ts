import { refusal, unavailable } from './responses.ts'
import * as examples from './examples.ts'
import type { PathItem } from './openapi.ts'
import {
  PAIRS_FORM,
  QUOTE_NOT_FOUND,
  TOO_MANY_STREAMS,
  TOO_MANY_STREAMS_OF_CLIENT,
} from '../../../shared/sentences.ts'

/** Each change as it happens. */
export const streamPath: Record<string, PathItem> = {
  '/api/v2/stream': {
    get: {
      operationId: 'streamQuotes',
      summary: 'Cada cambio, en el momento',
      description:
        'Eventos enviados por el servidor (`EventSource`): un evento `quote` por par al conectar y otro en cada cambio, segundos después del ciclo. Un valor que se corrige llega sin `id`. Cada 15 segundos llega un comentario; a los 15 minutos la conexión se cierra y el cliente vuelve solo, con `Last-Event-ID`, sin perder ni repetir. Hasta 10 conexiones por dirección.',
      tags: ['En el momento'],
      security: [],
      parameters: [
        {
          name: 'pairs',
          in: 'query',
          description: 'Los pares, `usd/blue,usd/bolsa`; sin él, todos.',
          schema: { type: 'string', pattern: '^[A-Za-z]+/[A-Za-z]+(,[A-Za-z]+/[A-Za-z]+)*$' },
          example: 'usd/blue,usd/bolsa',
        },
        {
          name: 'Last-Event-ID',
          in: 'header',
          description: 'El `id` del último evento recibido; `EventSource` lo manda solo.',
          schema: { type: 'string' },
        },
      ],
      responses: {
        '200': {
          description:
            'Los eventos; `data` es la cotización como en `/api/v2/{currency}/{origin}`.',
          content: {
            'text/event-stream': {
              schema: { type: 'string' },
              example: `id: 1772463300000-3\nevent: quote\ndata: ${JSON.stringify(examples.currentQuote)}\n\n`,
            },
          },
        },
        '400': refusal('La lista de pares no se entiende.', PAIRS_FORM),
        '404': refusal('Un par no existe.', QUOTE_NOT_FOUND),
        '429': unavailable(
          'Demasiadas conexiones desde la misma dirección.',
          TOO_MANY_STREAMS_OF_CLIENT,
        ),
        '503': unavailable('No hay lugar para más conexiones.', TOO_MANY_STREAMS),
      },
    },
  },
}
