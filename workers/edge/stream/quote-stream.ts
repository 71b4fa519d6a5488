import { DurableObject } from 'cloudflare:workers'
import { type Instant, SECOND_MS } from '../../../shared/argentine-time.ts'
import {
  type Board,
  type BoardListener,
  isTrusted,
  readPublishedBoard,
} from '../../../shared/board/board.ts'
import { pairById } from '../../../shared/market/catalog.ts'
import { modeHeader } from '../http/answer.ts'
import { parseCursor } from './events.ts'
import { type NewStream, QuoteHub } from './hub.ts'

const HEARTBEAT_MS = 15 * SECOND_MS
/** How late a cycle's board may be before the object reads KV. */
const GRACE_MS = 60 * SECOND_MS
/** How often slots may be probed for clients that left, and how long a probe takes. */
const PROBE_EVERY_MS = SECOND_MS
const PROBE_MS = 200
const BOARD = 'board'

/**
 * The object that holds all streams. Readers of KV see a change up to a minute late, and isolates
 * cannot call each other. So the scraper calls this one object, and every open stream gets the
 * change within a second. The object's storage holds the last board, for restarts after an
 * eviction. When the scraper is overdue, the object reads KV.
 */
export class QuoteStream extends DurableObject<{ BOARD: KVNamespace }> implements BoardListener {
  readonly #hub = new QuoteHub()
  #timer: ReturnType<typeof setInterval> | null = null
  #kvReadAt: Instant = 0
  #probedAt: Instant = 0

  async publish(board: Board): Promise<void> {
    await this.#wake()
    if (this.#hub.publish(board, Date.now())) await this.ctx.storage.put(BOARD, board)
  }

  /**
   * Only for the edge, which has validated the request: `?pairs=1,3&client=…` with `Last-Event-ID`.
   */
  override async fetch(request: Request): Promise<Response> {
    await this.#wake()
    await this.#catchUp()

    const now = Date.now()
    const { searchParams } = new URL(request.url)
    const opened = await this.#open(
      {
        client: searchParams.get('client') ?? '',
        pairs: (searchParams.get('pairs') ?? '')
          .split(',')
          .map((id) => pairById(Number(id)))
          .filter((pair) => pair !== undefined),
        after: parseCursor(request.headers.get('Last-Event-ID'), now),
        gone: request.signal,
      },
      now,
    )
    if (!opened.ok)
      return new Response(null, { status: opened.refusal === 'too_many_of_client' ? 429 : 503 })

    this.#timer ??= setInterval(() => void this.#beat(), HEARTBEAT_MS)
    return new Response(opened.value, { headers: modeHeader(this.#hub.board?.mode ?? 'live') })
  }

  /** Before it refuses, it probes for clients that left: not every runtime reports them. */
  async #open(wanted: NewStream, now: Instant) {
    const opened = this.#hub.open(wanted, now)
    if (opened.ok || now - this.#probedAt < PROBE_EVERY_MS) return opened

    this.#probedAt = now
    this.#hub.probe(wanted.client, opened.refusal)
    await new Promise((resolve) => setTimeout(resolve, PROBE_MS))
    return this.#hub.open(wanted, Date.now())
  }

  async #beat(): Promise<void> {
    await this.#catchUp()
    this.#hub.beat(Date.now())
    if (this.#hub.size > 0 || this.#timer === null) return

    // Without a timer and without streams the object may be evicted.
    clearInterval(this.#timer)
    this.#timer = null
  }

  async #wake(): Promise<void> {
    if (this.#hub.board) return
    const board = await this.ctx.storage.get<Board>(BOARD)
    if (board) this.#hub.publish(board, Date.now())
  }

  /** Reads the board from KV when the scraper's next board is overdue. */
  async #catchUp(): Promise<void> {
    const now = Date.now()
    const { board } = this.#hub
    const overdue = !board || now > board.generatedAt + board.everySeconds * SECOND_MS + GRACE_MS
    if (!overdue || now - this.#kvReadAt < HEARTBEAT_MS) return

    this.#kvReadAt = now
    const published = await readPublishedBoard(this.env.BOARD)
    if (published && isTrusted(published, Date.now())) this.#hub.publish(published, Date.now())
  }
}
