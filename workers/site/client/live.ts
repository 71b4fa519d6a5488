/**
 * Keeps a page current by the stream of changes, or by polling each minute without a stream. A
 * hidden page closes its stream.
 */
import { ApiError, createClient, type CurrentQuote } from '../../../clients/javascript/index.ts'

const MINUTE = 60_000
const TICK = 5_000
/** The stream reconnects by itself; only a longer loss is shown. */
const PATIENCE = 8_000
/** A connection that is silent for this long is dead, even if the browser has not noticed. */
const IDLE = 5 * MINUTE

export type LiveState = 'live' | 'polling' | 'lost'

interface Following {
  /** The time between two cycles of the service. */
  everyMs: number
  /** `usd/blue`; all pairs when absent. */
  pairs?: readonly string[]
  onQuote: (quote: CurrentQuote) => void
  /** Reads everything again; throws on failure. While the stream works, only for confirmations. */
  refresh: () => Promise<void>
  onState: (state: LiveState) => void
}

export function follow({ everyMs, pairs, onQuote, refresh, onState }: Following): void {
  const stream = createStream({ pairs, onQuote, onAlive: () => become('live'), onRefused: poll })
  let state: LiveState | null = null
  let polledAt = Date.now()

  function become(next: LiveState) {
    if (next !== state) onState((state = next))
  }

  async function poll() {
    polledAt = Date.now()
    const isRead = await refresh().then(
      () => true,
      () => false,
    )
    if (state !== 'live' || stream.isSilent()) become(isRead ? 'polling' : 'lost')
  }

  function tick() {
    if (document.hidden) return
    stream.connect()
    const silent = stream.isSilent()
    const due = Date.now() - polledAt >= (silent ? MINUTE : Math.max(MINUTE, everyMs))
    if (due || (state === 'live' && silent)) void poll()
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) stream.close()
    else tick()
  })
  addEventListener('online', () => {
    stream.close() // the old connection is dead, even if the browser has not noticed
    polledAt = 0
    tick()
  })
  addEventListener('offline', () => {
    stream.lose()
    void poll()
  })
  setInterval(tick, TICK)
  tick()
}

interface Listening {
  pairs: readonly string[] | undefined
  onQuote: (quote: CurrentQuote) => void
  /** Called whenever something arrives. */
  onAlive: () => void
  onRefused: () => void
}

/** The connection to the stream. */
function createStream({ pairs, onQuote, onAlive, onRefused }: Listening) {
  const client = createClient({ baseUrl: location.origin })
  let connection: AbortController | null = null
  let lostSince: number | null = null

  async function open() {
    const opened = new AbortController()
    const isOurs = () => connection === opened
    connection = opened
    const stream = client.stream({
      ...(pairs && { pairs }),
      signal: opened.signal,
      idleMs: IDLE,
      onOpen: () => isOurs() && alive(),
      onRetry: (cause) => isOurs() && lose(cause instanceof ApiError),
    })
    for await (const quote of stream) {
      if (isOurs()) alive()
      onQuote(quote)
    }
  }

  function alive() {
    lostSince = null
    onAlive()
  }

  /** Reports the loss. A refused stream counts as lost at once. */
  function lose(isRefused = false) {
    lostSince ??= Date.now()
    if (!isRefused || lostSince === 0) return
    lostSince = 0
    onRefused()
  }

  return {
    /** Opens the stream when it is closed. A broken stream reconnects by itself. */
    connect() {
      if (!connection) open().catch(() => lose(true))
    },
    close() {
      connection?.abort()
      connection = null
    },
    lose: () => lose(),
    isSilent: () => !connection || (lostSince !== null && Date.now() - lostSince > PATIENCE),
  }
}
