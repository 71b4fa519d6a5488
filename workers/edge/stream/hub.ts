import { widerClient } from '../../../shared/access/client.ts'
import { type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { ok, refuse, type Result } from '../../../shared/result.ts'
import { BoardEvents, correctionsSince, type Cursor, pairList, type PairList } from './events.ts'

/** A stream is closed after this long, and its client reconnects. */
export const LIFETIME_MS = 15 * MINUTE_MS
/** The most open streams of one client address, and of one IPv6 /48. */
export const MAX_PER_CLIENT = 10
export const MAX_PER_WIDE_CLIENT = 100
/** The most open streams of all clients. */
export const MAX_STREAMS = 10_000
/** The most bytes that wait for a slow client before it is dropped: about eight times all pairs. */
export const BUFFER_BYTES = 64 * 1024
/** How long clients wait before they reconnect. */
const RETRY_MS = 3000

const encoder = new TextEncoder()
const HEARTBEAT = encoder.encode(':\n\n')
const RETRY = encoder.encode(`retry: ${RETRY_MS}\n\n`)

/** The parameters of a new stream. */
export interface NewStream {
  client: string
  pairs: readonly Pair[]
  /** The cursor of the last event that the client saw. */
  after: Cursor
  /** Aborted when the client leaves. The stream itself would notice only at its next write. */
  gone?: AbortSignal
}

export type StreamRefusal = 'too_many_of_client' | 'too_many'

interface Stream {
  client: string
  pairs: PairList
  after: Cursor
  endsAt: Instant
  controller: ReadableStreamDefaultController<Uint8Array>
}

/**
 * All open streams. Only the scraper publishes. Each client gets each change after its cursor once,
 * except changes that a later change has replaced. The hub reads no clock and sets no timer: its
 * owner passes the time and calls `beat`.
 */
export class QuoteHub {
  readonly #streams = new Set<Stream>()
  readonly #slots = new StreamSlots()
  #events: BoardEvents | null = null
  /** The newest board that was published here. */
  board: Board | null = null

  get size(): number {
    return this.#streams.size
  }

  /** Opens a stream, which begins with the changes that its client has not seen yet. */
  open(
    { client, pairs, after, gone }: NewStream,
    now: Instant,
  ): Result<ReadableStream<Uint8Array>, StreamRefusal> {
    if (!this.#slots.hasFree(client)) return refuse('too_many_of_client')
    if (this.#streams.size >= MAX_STREAMS) return refuse('too_many')

    let stream: Stream
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          const endsAt = now + LIFETIME_MS
          stream = { client, pairs: pairList(pairs), after, endsAt, controller }
          this.#streams.add(stream)
          this.#slots.take(client)
          controller.enqueue(RETRY)
          this.#sendChanges(stream, now)
        },
        cancel: () => this.#forget(stream),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }),
    )
    // The client may have left already.
    if (gone?.aborted) void body.cancel()
    gone?.addEventListener('abort', () => this.#forget(stream), { once: true })
    return ok(body)
  }

  /**
   * Sends changes and corrections to the streams of their pairs. Returns false, and sends nothing,
   * if the board is not newer than the last. Of two boards of one cycle, the newer has the later
   * revision of history.
   */
  publish(board: Board, now: Instant): boolean {
    const last = this.board
    if (last && !isNewer(board, last)) return false

    this.board = board
    const corrections = last ? correctionsSince(last, board, now) : []
    for (const stream of this.#streams) {
      for (const { pair, bytes } of corrections)
        if (stream.pairs.pairs.includes(pair)) this.#send(stream, bytes)
      this.#sendChanges(stream, now)
    }
    return true
  }

  /** Sends a heartbeat to every stream, which also detects clients that left; ends old streams. */
  beat(now: Instant): void {
    for (const stream of this.#streams) {
      if (now >= stream.endsAt) this.#end(stream)
      else this.#send(stream, HEARTBEAT)
    }
  }

  /** Sends a heartbeat to the streams that occupy a client's slots, to detect clients that left. */
  probe(client: string, refusal: StreamRefusal): void {
    for (const stream of this.#streams) {
      if (refusal === 'too_many' || sharesSlots(stream.client, client)) {
        this.#send(stream, HEARTBEAT)
      }
    }
  }

  #sendChanges(stream: Stream, now: Instant): void {
    if (!this.board) return

    const sending = this.#eventsAt(this.board, now).after(stream.pairs, stream.after)
    if (!sending) return

    stream.after = sending.last
    this.#send(stream, sending.bytes)
  }

  #eventsAt(board: Board, now: Instant): BoardEvents {
    if (!this.#events?.areOf(board, now)) this.#events = new BoardEvents(board, now)
    return this.#events
  }

  /** Drops a client that does not read its buffer. The client reconnects and catches up. */
  #send(stream: Stream, bytes: Uint8Array): void {
    if (!this.#streams.has(stream)) return
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
    if (this.#streams.delete(stream)) this.#slots.release(stream.client)
  }
}

function isNewer(board: Board, last: Board): boolean {
  if (board.generatedAt !== last.generatedAt) return board.generatedAt > last.generatedAt
  return (board.historyRevision ?? 0) > (last.historyRevision ?? 0)
}

/** Whether two clients count against the same limit. */
function sharesSlots(one: string, other: string): boolean {
  return one === other || (widerClient(one) ?? one) === widerClient(other)
}

/** Counts the open streams of each client, and of each /48 around one. */
class StreamSlots {
  readonly #held = new Map<string, number>()

  hasFree(client: string): boolean {
    const wide = widerClient(client)
    return (
      this.#of(client) < MAX_PER_CLIENT && (wide === null || this.#of(wide) < MAX_PER_WIDE_CLIENT)
    )
  }

  take(client: string): void {
    this.#add(client, 1)
  }

  release(client: string): void {
    this.#add(client, -1)
  }

  #of(key: string): number {
    return this.#held.get(key) ?? 0
  }

  #add(client: string, change: 1 | -1): void {
    for (const key of [client, widerClient(client)]) {
      if (key === null) continue

      const count = this.#of(key) + change
      if (count === 0) this.#held.delete(key)
      else this.#held.set(key, count)
    }
  }
}
