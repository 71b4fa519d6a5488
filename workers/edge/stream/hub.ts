import { type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { ok, refuse, type Result } from '../../../shared/result.ts'
import { eventsAfter, isOfFuture, type Place, START } from './events.ts'
import { sharesPlaces, StreamPlaces } from './places.ts'

/** After this a stream is closed, and its client comes again: no connection is for ever. */
export const LIFETIME_MS = 15 * MINUTE_MS
/** Streams at once of all clients. */
export const MAX_STREAMS = 2000
/** What may wait for one slow client before it is dropped: some eight times all pairs. */
export const BUFFER_BYTES = 64 * 1024
/** When clients try again after their stream ended. */
const RETRY_MS = 3000

const encoder = new TextEncoder()
const HEARTBEAT = encoder.encode(':\n\n')
const RETRY = encoder.encode(`retry: ${RETRY_MS}\n\n`)

export interface Subscription {
  /** Who asks, for the limits (`clientKey`). */
  client: string
  pairs: readonly Pair[]
  /** The place of the last event that was seen. */
  after: Place
  /** Aborted when the client goes, which the stream itself learns only from its next write. */
  gone?: AbortSignal
}

export type StreamRefusal = 'too_many_of_client' | 'too_many'

interface Stream {
  client: string
  pairs: readonly Pair[]
  after: Place
  endsAt: Instant
  controller: ReadableStreamDefaultController<Uint8Array>
}

/**
 * All open streams. One writer, the scraper; each client gets what changed after the place it is
 * at, so it sees every change once, and never one that a later change has replaced. Pure but for
 * the streams: time comes in, and somebody calls `beat`.
 */
export class QuoteHub {
  readonly #streams = new Set<Stream>()
  readonly #places = new StreamPlaces()
  /** The newest board that was published here. */
  board: Board | null = null

  get size(): number {
    return this.#streams.size
  }

  /** A new stream, with what its client has not seen already in it. */
  open(
    { client, pairs, after, gone }: Subscription,
    now: Instant,
  ): Result<ReadableStream<Uint8Array>, StreamRefusal> {
    if (!this.#places.hasRoom(client)) return refuse('too_many_of_client')
    if (this.#streams.size >= MAX_STREAMS) return refuse('too_many')

    let stream: Stream
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          stream = { client, pairs, after, endsAt: now + LIFETIME_MS, controller }
          this.#streams.add(stream)
          this.#places.take(client)
          controller.enqueue(RETRY)
          this.#sendNews(stream, now)
        },
        cancel: () => this.#forget(stream),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }),
    )
    gone?.addEventListener('abort', () => this.#forget(stream), { once: true })
    return ok(body)
  }

  /**
   * Sends what changed to those who follow it, and says whether the board was taken. An older board
   * than the last changes nothing, unless the last one is of the future: that is no board.
   */
  publish(board: Board, now: Instant): boolean {
    const last = this.board
    if (isOfFuture(board.generatedAt, now)) return false
    if (last && !isOfFuture(last.generatedAt, now) && board.generatedAt <= last.generatedAt)
      return false

    this.board = board
    for (const stream of this.#streams) this.#sendNews(stream, now)
    return true
  }

  /** A sign of life to everyone, which also finds those who left; and the end of old streams. */
  beat(now: Instant): void {
    for (const stream of this.#streams) {
      if (now >= stream.endsAt || stream.endsAt - now > LIFETIME_MS) this.#end(stream)
      else this.#send(stream, HEARTBEAT)
    }
  }

  /** A sign of life to the streams that stand in a client's way, which finds those who left. */
  probe(client: string, refusal: StreamRefusal): void {
    for (const stream of this.#streams) {
      if (refusal === 'too_many' || sharesPlaces(stream.client, client)) {
        this.#send(stream, HEARTBEAT)
      }
    }
  }

  #sendNews(stream: Stream, now: Instant): void {
    if (!this.board) return

    // A place of the future was given out by a clock that was wrong: all is news again.
    const after = isOfFuture(stream.after.at, now) ? START : stream.after
    const events = eventsAfter(this.board, stream.pairs, after, now)
    const last = events.at(-1)
    if (!last) return

    stream.after = last.place
    this.#send(stream, encoder.encode(events.map(({ text }) => text).join('')))
  }

  /** A client that does not read what waits for it is dropped: it comes again and catches up. */
  #send(stream: Stream, bytes: Uint8Array): void {
    const { controller } = stream
    controller.enqueue(bytes)
    if ((controller.desiredSize ?? 0) > 0) return

    this.#forget(stream)
    controller.error(new Error('the client does not read'))
  }

  #end(stream: Stream): void {
    this.#forget(stream)
    stream.controller.enqueue(RETRY)
    stream.controller.close()
  }

  #forget(stream: Stream): void {
    if (this.#streams.delete(stream)) this.#places.free(stream.client)
  }
}
