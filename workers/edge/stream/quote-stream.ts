import { DurableObject } from 'cloudflare:workers'
import { type Instant, SECOND_MS } from '../../../shared/argentine-time.ts'
import { type Board, isTrusted } from '../../../shared/board/board.ts'
import { pairById } from '../../../shared/market/catalog.ts'
import { readPublishedBoard } from '../../../shared/board/read-board.ts'
import type { BoardListener } from '../../../shared/board/stream.ts'
import { isOfFuture, parsePlace } from './events.ts'
import { QuoteHub, type StreamRefusal, type Subscription } from './hub.ts'
import { REFUSAL_HEADER } from './refusal-header.ts'

const HEARTBEAT_MS = 15 * SECOND_MS
/** How long past its time a cycle's word is waited for before KV is asked. */
const GRACE_MS = 60 * SECOND_MS
/** How often places may be asked whether they are still held, and how long the answer takes. */
const PROBE_EVERY_MS = SECOND_MS
const PROBE_MS = 200
const BOARD = 'board'

/**
 * The object that all streams hang on. KV tells its readers of a change up to a minute late and
 * isolates cannot call each other; this object is one place that the scraper can tell and from
 * which every open stream hears within the second. It keeps the last board in its storage, so that
 * one that slept knows what was published meanwhile. Where the scraper's word failed, it asks KV.
 */
export class QuoteStream extends DurableObject<{ BOARD: KVNamespace }> implements BoardListener {
  private readonly hub = new QuoteHub()
  private timer: ReturnType<typeof setInterval> | null = null
  private askedKvAt: Instant = 0
  private probedAt: Instant = 0

  async publish(board: Board): Promise<void> {
    await this.wake()
    if (this.hub.publish(board, Date.now())) await this.ctx.storage.put(BOARD, board)
  }

  /** For the edge alone, which checked everything: `?pairs=1,3&client=…` with `Last-Event-ID`. */
  override async fetch(request: Request): Promise<Response> {
    await this.wake()
    await this.catchUp()

    const now = Date.now()
    const { searchParams } = new URL(request.url)
    const opened = await this.open(
      {
        client: searchParams.get('client') ?? '',
        pairs: (searchParams.get('pairs') ?? '')
          .split(',')
          .map((id) => pairById(Number(id)))
          .filter((pair) => pair !== undefined),
        after: parsePlace(request.headers.get('Last-Event-ID'), now),
        gone: request.signal,
      },
      now,
    )
    if (!opened.ok) return refusal(opened.refusal)

    this.timer ??= setInterval(() => void this.beat(), HEARTBEAT_MS)
    const mode = this.hub.board?.mode ?? 'live'
    return new Response(opened.value, {
      headers: mode === 'live' ? {} : { 'X-Service-Mode': mode },
    })
  }

  /** A place that seems taken is asked for a sign of life first: not every runtime says who left. */
  private async open(subscription: Subscription, now: Instant) {
    const opened = this.hub.open(subscription, now)
    if (opened.ok || Math.abs(now - this.probedAt) < PROBE_EVERY_MS) return opened

    this.probedAt = now
    this.hub.probe(subscription.client, opened.refusal)
    await new Promise((resolve) => setTimeout(resolve, PROBE_MS))
    return this.hub.open(subscription, Date.now())
  }

  private async beat(): Promise<void> {
    await this.catchUp()
    this.hub.beat(Date.now())
    if (this.hub.size > 0 || this.timer === null) return

    // Without a timer and without streams the object may sleep.
    clearInterval(this.timer)
    this.timer = null
  }

  private async wake(): Promise<void> {
    if (this.hub.board) return
    const board = await this.ctx.storage.get<Board>(BOARD)
    if (board) this.hub.publish(board, Date.now())
  }

  /** The board of KV, when the scraper's word is overdue. */
  private async catchUp(): Promise<void> {
    const now = Date.now()
    const { board } = this.hub
    const overdue =
      !board ||
      isOfFuture(board.generatedAt, now) ||
      now > board.generatedAt + board.everySeconds * SECOND_MS + GRACE_MS
    if (!overdue || Math.abs(now - this.askedKvAt) < HEARTBEAT_MS) return

    this.askedKvAt = now
    const published = await readPublishedBoard(this.env.BOARD)
    if (published && isTrusted(published, Date.now())) this.hub.publish(published, Date.now())
  }
}

function refusal(reason: StreamRefusal): Response {
  return new Response(null, { status: 503, headers: { [REFUSAL_HEADER]: reason } })
}
