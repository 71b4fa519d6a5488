/*
 * Keeps a page current: by the stream of changes, or by polling each minute where there is none. A
 * hidden page closes its stream.
 */
import { ApiError, createClient } from './cotizaciones.js'

const MINUTE = 60_000
const TICK = 5_000
/** The stream reconnects by itself; only a longer loss is shown. */
const PATIENCE = 8_000
/** A connection without a byte for so long is dead, even if the browser has not noticed. */
const IDLE = 5 * MINUTE

/**
 * Calls `onQuote` with each change of the `pairs` (`usd/blue`; all without it), `refresh` when
 * everything has to be read again (it throws when it fails), and `onState` with `live`, `polling` or
 * `lost`. While the stream works, `refresh` brings only confirmations.
 */
export function follow({ everyMs, pairs, onQuote, refresh, onState }) {
  const stream = createStream({ pairs, onQuote, onAlive: () => become('live'), onRefused: poll })
  let state = null
  let polledAt = Date.now()

  function become(next) {
    if (next !== state) onState((state = next))
  }

  async function poll() {
    polledAt = Date.now()
    try {
      await refresh()
      if (state !== 'live' || stream.isSilent()) become('polling')
    } catch {
      if (state !== 'live' || stream.isSilent()) become('lost')
    }
  }

  function tick() {
    if (document.hidden) return
    stream.connect()
    const silent = stream.isSilent()
    const due = Date.now() - polledAt >= (silent ? MINUTE : Math.max(MINUTE, everyMs))
    if (due || (state === 'live' && silent)) poll()
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
    poll()
  })
  setInterval(tick, TICK)
  tick()
}

/** The connection to the stream. Calls `onAlive` whenever something arrives. */
function createStream({ pairs, onQuote, onAlive, onRefused }) {
  const client = createClient({ baseUrl: location.origin })
  let connection = null
  let lostSince = null

  async function open() {
    const opened = new AbortController()
    const isOurs = () => connection === opened
    connection = opened
    const onOpen = () => isOurs() && alive()
    const onRetry = (cause) => isOurs() && lose(cause instanceof ApiError)
    const stream = client.stream({ pairs, signal: opened.signal, idleMs: IDLE, onOpen, onRetry })
    for await (const quote of stream) {
      if (isOurs()) alive()
      onQuote(quote)
    }
  }

  function alive() {
    lostSince = null
    onAlive()
  }

  /** A refused stream counts as lost at once. */
  function lose(isRefused = false) {
    lostSince ??= Date.now()
    if (!isRefused || lostSince === 0) return
    lostSince = 0
    onRefused()
  }

  function close() {
    connection?.abort()
    connection = null
  }

  return {
    /** Opens it when it is closed; one that breaks reconnects by itself. */
    connect() {
      if (!connection) open().catch(() => lose(true))
    },
    close,
    lose: () => lose(),
    isSilent: () => !connection || (lostSince !== null && Date.now() - lostSince > PATIENCE),
  }
}
