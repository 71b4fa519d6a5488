/** Each change as it happens. */
import * as z from 'zod/mini'
import * as sentence from '../sentences.ts'
import { refusal, unavailable } from './answers.ts'
import { currentQuote } from './current.ts'
import { doc, exampleOf, operation, resource } from './operation.ts'

export const streamQuotes = operation({
  id: 'streamQuotes',
  method: 'get',
  path: '/api/v2/stream',
  summary: 'Cada cambio, en el momento',
  description:
    'Eventos enviados por el servidor (`EventSource`): un evento `quote` por par al conectar y otro en cada cambio, segundos después del ciclo. Un valor que se corrige llega sin `id`. Cada 15 segundos llega un comentario; a los 15 minutos la conexión se cierra y el cliente vuelve solo, con `Last-Event-ID`, sin perder ni repetir. Hasta 10 conexiones por dirección.',
  query: () =>
    z.object({
      pairs: doc(
        z.optional(z.string()),
        'Los pares, `usd/blue,usd/bolsa`; sin él, todos.',
        'usd/blue,usd/bolsa',
        { pattern: '^[A-Za-z]+/[A-Za-z]+(,[A-Za-z]+/[A-Za-z]+)*$' },
      ),
      lastEventId: doc(z.optional(z.string()), 'Como `Last-Event-ID`, si no se puede mandar.'),
    }),
  headers: () => ({
    'Last-Event-ID': doc(z.optional(z.string()), 'El último `id`; `EventSource` lo manda solo.'),
  }),
  answers: () => ({
    200: {
      description: 'Los eventos; `data` es la cotización como en `/api/v2/{currency}/{origin}`.',
      content: {
        'text/event-stream': {
          schema: z.string(),
          example: `id: 1772463300000-3\nevent: quote\ndata: ${JSON.stringify(exampleOf(currentQuote()))}\n\n`,
        },
      },
    },
    400: refusal('La lista de pares no se entiende.', sentence.PAIRS_FORM),
    404: refusal('Un par no existe.', sentence.QUOTE_NOT_FOUND),
    429: unavailable(
      'Demasiadas conexiones desde la misma dirección.',
      sentence.TOO_MANY_STREAMS_OF_CLIENT,
    ),
    503: unavailable('No hay lugar para más conexiones.', sentence.TOO_MANY_STREAMS),
  }),
})

export const stream = resource('En el momento', 'Cada cambio, apenas ocurre.', [streamQuotes])
