/**
 * Keeps a page current by the stream of changes or, when the stream fails, by polling each minute.
 * A hidden page closes its stream.
 */
import type { CurrentQuote } from '../../../clients/javascript/index.ts'

const MINUTE = 60_000
const TICK = 5_000
/** The page shows only a loss longer than this: until then the browser reconnects by itself. */
const PATIENCE = 8_000
/** A connection without events for this long is dead: the service ends it after 15 minutes. */
const LIFE = 16 * MINUTE

export type LiveState = 'live' | 'polling' | 'lost'

interface Following {
  /** The time between two cycles of the service. */
  everyMs: number
  /** `usd/blue`; all pairs when absent. */
  pairs?: readonly string[]
  onQuote: (quote: CurrentQuote) => void
  /** Reads the page again; throws on failure. With a working stream this brings confirmations. */
  refresh: () => Promise<void>
  onState: (state: LiveState) => void
}

export function follow({ everyMs, pairs, onQuote, refresh, onState }: Following): void {
  let stream: EventSource | null = null
  let lastEventAt = 0
  /** When the connection was lost; 0 when the service refused it; null while it is open. */
  let lostAt: number | null = null
  let polledAt = Date.now()
  let state: LiveState | null = null

  function become(next: LiveState) {
    if (next !== state) onState((state = next))
  }

  function connect() {
    const opened = new EventSource(`/api/v2/stream${pairs ? `?pairs=${pairs.join(',')}` : ''}`)
    opened.addEventListener('open', noteEvent)
    opened.addEventListener('quote', ({ data }) => {
      noteEvent()
      onQuote(JSON.parse(data))
    })
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED) return void (lostAt ??= Date.now())
      if (lostAt !== 0) void poll()
      lostAt = 0
    })
    stream = opened
    lastEventAt = Date.now()
  }

  function noteEvent() {
    lastEventAt = Date.now()
    lostAt = null
    become('live')
  }

  function close() {
    stream?.close()
    stream = null
  }

  const isSilent = () => lostAt !== null && Date.now() - lostAt > PATIENCE

  async function poll() {
    polledAt = Date.now()
    const isRead = await refresh().then(
      () => true,
      () => false,
    )
    if (state !== 'live' || isSilent()) become(isRead ? 'polling' : 'lost')
  }

  function tick() {
    if (document.hidden) return
    const silent = isSilent()
    const due = Date.now() - polledAt >= (silent ? MINUTE : Math.max(MINUTE, everyMs))
    const isRefused = stream?.readyState === EventSource.CLOSED
    if ((isRefused && due) || Date.now() - lastEventAt > LIFE) close()
    if (!stream) connect()
    if (due || (state === 'live' && silent)) void poll()
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) close()
    else tick()
  })
  addEventListener('online', () => {
    close() // the old connection is dead, even if the browser has not noticed
    polledAt = 0
    tick()
  })
  addEventListener('offline', () => {
    lostAt ??= Date.now()
    void poll()
  })
  setInterval(tick, TICK)
  tick()
}
