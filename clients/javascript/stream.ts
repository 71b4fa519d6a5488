import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { CurrentQuote } from './api.ts'
import {
  addressOf,
  ApiError,
  asNetworkError,
  type CotizacionesError,
  parsed,
  refusalOf,
  type RequestOptions,
  RequestTimeoutError,
} from './request.ts'

export interface StreamOptions {
  /** `usd/blue`, in any letter case; every pair when absent. */
  pairs?: readonly string[] | undefined
  /** When this signal is aborted, the iteration ends without an error. */
  signal?: AbortSignal | undefined
  /** Called when the stream opens, the first time and after each reconnection. */
  onOpen?: (() => void) | undefined
  /** Called when the connection ends: the cause (null if the service closed it), and the wait. */
  onRetry?: ((cause: CotizacionesError | null, waitMs: number) => void) | undefined
  /** A connection without a byte for so many ms is dead. The service sends one every 15 s. */
  idleMs?: number | undefined
}

/** Seconds to wait after a refusal without `Retry-After`. */
const RETRY_REFUSED_SECONDS = 30
const RETRY_MOST_MS = 60_000

/**
 * Yields the current value of each pair, then each change as it happens. Reconnects when the
 * connection breaks, and yields no value twice. Throws an `ApiError` only if a retry cannot help,
 * for example for a pair that does not exist.
 */
export async function* streamQuotes(
  options: RequestOptions,
  { pairs, signal, onOpen, onRetry, idleMs = 45_000 }: StreamOptions = {},
): AsyncGenerator<CurrentQuote, void, undefined> {
  const connection: Connection = {
    url: addressOf(options.baseUrl, '/api/v2/stream', { pairs: pairs?.join(',').toLowerCase() }),
    lastEventId: '',
    retryMs: 3000,
  }
  const seen = new Map<string, string>()
  let failures = 0

  for (;;) {
    if (signal?.aborted) return
    let cause: CotizacionesError | null = null
    try {
      const opened = () => {
        failures = 0
        onOpen?.()
      }
      for await (const event of follow(options, connection, { signal, onOpen: opened, idleMs })) {
        const quote = parsed(200, event.data) as CurrentQuote
        const pair = `${quote.currency}/${quote.origin}`
        // Values are compared, not ids: a correction has no id, and the next event with the
        // corrected value has the id of the wrong value.
        const value = `${quote.updatedAt} ${quote.buy} ${quote.sell}`
        if (seen.get(pair) !== value) yield quote
        seen.set(pair, value)
      }
    } catch (error) {
      cause = asNetworkError(error)
      if (isFinal(cause) && !signal?.aborted) throw cause
    }
    if (signal?.aborted) return
    const waitMs = waitAfter(cause, failures++, connection.retryMs)
    onRetry?.(cause, waitMs)
    await options.sleep(waitMs, signal)
  }
}

interface Connection {
  url: URL
  /** The cursor of the last event, or empty. */
  lastEventId: string
  /** How long the service asks to wait before reconnecting. */
  retryMs: number
}

/** The events of one connection, until it ends. Updates the cursor. */
async function* follow(
  { fetch }: RequestOptions,
  connection: Connection,
  { signal, onOpen, idleMs }: { signal: AbortSignal | undefined; onOpen(): void; idleMs: number },
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const controller = new AbortController()
  const end = () => controller.abort()
  let timer: ReturnType<typeof setTimeout> | undefined
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => controller.abort(new RequestTimeoutError('no sign of life')), idleMs)
  }
  signal?.addEventListener('abort', end)
  try {
    alive()
    const response = await fetch(connection.url, {
      headers: headersOf(connection),
      signal: controller.signal,
    })
    if (!response.ok) throw await refusalOf(response)
    onOpen()

    const events: EventSourceMessage[] = []
    const parser = createParser({
      onEvent: (event) => events.push(event),
      onRetry: (milliseconds) => (connection.retryMs = milliseconds),
    })
    const decoder = new TextDecoder()
    const reader = response.body!.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      alive()
      parser.feed(decoder.decode(value, { stream: true }))
      for (const event of events.splice(0)) {
        connection.lastEventId = event.id ?? connection.lastEventId
        if (event.event === 'quote') yield event
      }
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    controller.abort()
  }
}

/** Pages of other origins may not send the cursor, so repeated events are dropped here. */
function headersOf({ url, lastEventId }: Connection): Record<string, string> {
  const page = (globalThis as { location?: { origin?: string } }).location
  const isForeign = page?.origin !== undefined && page.origin !== url.origin
  return {
    Accept: 'text/event-stream',
    ...(lastEventId === '' || isForeign ? {} : { 'Last-Event-ID': lastEventId }),
  }
}

function isFinal(error: CotizacionesError): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429
}

/** Milliseconds to wait: the service's `retry`, doubled after each failure, with random jitter. */
function waitAfter(cause: unknown, failures: number, retryMs: number): number {
  if (cause instanceof ApiError) return (cause.retryAfter ?? RETRY_REFUSED_SECONDS) * 1000

  const wait = Math.min(retryMs * 2 ** failures, Math.max(retryMs, RETRY_MOST_MS))
  return Math.round(wait * (1 + 0.2 * Math.random()))
}
