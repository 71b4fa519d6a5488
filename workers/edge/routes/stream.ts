import { streamQuotes } from '../../../shared/api/stream.ts'
import { type Pair, PAIRS } from '../../../shared/market/catalog.ts'
import { clientOf } from '../../../shared/access/client.ts'
import { logFailure } from '../../../shared/log.ts'
import { STREAM_NAME } from '../../../shared/board/board.ts'
import type { EdgeEnv } from '../context.ts'
import { badRequest, HttpError, unavailable } from '../errors.ts'
import { parsePairList } from '../http/query.ts'
import { type App, route } from '../http/route.ts'
import { TOO_MANY_STREAMS, TOO_MANY_STREAMS_OF_CLIENT } from '../../../shared/sentences.ts'

/** Seconds after which a refused client may find a free slot. */
const RETRY_SECONDS = 30

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  // Without this header, nginx in front of us would buffer events.
  'X-Accel-Buffering': 'no',
}

/** Each change of the chosen pairs as it happens, as server-sent events. */
export function streamRoutes(app: App): void {
  route(app, streamQuotes, [], async (c, { query }) => {
    if ((c.req.queries('pairs') ?? []).length > 1)
      throw badRequest('El parámetro pairs está repetido')
    const pairs = query.pairs === undefined ? PAIRS : parsePairList(query.pairs)
    if (c.req.method === 'HEAD') return new Response(null, { headers: HEADERS })

    const client = clientOf(c.req.raw.headers, c.env)
    // The id may be a parameter, because polyfills of `EventSource` cannot send the header.
    const lastEventId = c.req.header('Last-Event-ID') ?? query.lastEventId
    const opened = await open(c.env, { pairs, client, lastEventId, gone: c.req.raw.signal })
    const mode = opened.headers.get('X-Service-Mode')
    return new Response(opened.body, {
      headers: mode === null ? HEADERS : { ...HEADERS, 'X-Service-Mode': mode },
    })
  })
}

interface StreamRequest {
  pairs: readonly Pair[]
  client: string
  lastEventId: string | undefined
  /** Aborted when the client leaves, which cancels its stream and frees its slot. */
  gone: AbortSignal
}

async function open(
  { QUOTE_STREAM }: EdgeEnv,
  { pairs, client, lastEventId, gone }: StreamRequest,
): Promise<Response> {
  const query = new URLSearchParams({ pairs: pairs.map(({ id }) => id).join(','), client })
  const response = await QUOTE_STREAM.getByName(STREAM_NAME)
    .fetch(`https://stream/?${query}`, {
      headers: lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId },
      signal: gone,
    })
    .catch((error: unknown) => {
      logFailure('stream_failed', error)
      throw noStream()
    })
  if (response.ok) return response

  throw response.status === 429 ? tooMany() : noStream()
}

const tooMany = () => new HttpError(429, TOO_MANY_STREAMS_OF_CLIENT, { retryAfter: RETRY_SECONDS })
const noStream = () => unavailable(TOO_MANY_STREAMS, RETRY_SECONDS)
