/*
 * What keeps a page current: the stream of changes, and where it cannot be had, asking each minute.
 * A page that nobody looks at gives its place in the stream back.
 */
import { ApiError, createClient } from './cotizaciones.js'

const MINUTE = 60_000
/** How often is looked whether something is due. */
const TICK = 5_000
/** The stream comes again by itself; only a longer silence is told. */
const PATIENCE = 8_000
/** A line that says nothing for so long is dead, whatever the browser believes. */
const IDLE = 5 * MINUTE

/**
 * `onQuote` hears each change, `refresh` asks for everything (and throws when it cannot), `onState`
 * hears `live`, `asking` or `lost`. While the stream lives, only confirmations need `refresh`. Without
 * `pairs` (`usd/blue`) it follows all of them.
 */
export function follow({ everyMs, pairs, onQuote, refresh, onState }) {
  const stream = createStream({ pairs, onQuote, onAlive: () => become('live'), onRefused: ask })
  let state = null
  let askedAt = Date.now()

  function become(next) {
    if (next !== state) onState((state = next))
  }

  async function ask() {
    askedAt = Date.now()
    try {
      await refresh()
      if (state !== 'live' || stream.isSilent()) become('asking')
    } catch {
      if (state !== 'live' || stream.isSilent()) become('lost')
    }
  }

  function tick() {
    if (document.hidden) return
    stream.connect()
    const silent = stream.isSilent()
    const due = Date.now() - askedAt >= (silent ? MINUTE : Math.max(MINUTE, everyMs))
    if (due || (state === 'live' && silent)) ask()
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) stream.rest()
    else tick()
  })
  addEventListener('online', () => {
    stream.rest() // the old line is dead, whatever the browser still believes
    askedAt = 0
    tick()
  })
  addEventListener('offline', () => {
    stream.lose()
    ask()
  })
  setInterval(tick, TICK)
  tick()
}

/** The line to the stream. `onAlive` hears each sign of life, `onRefused` that it was refused. */
function createStream({ pairs, onQuote, onAlive, onRefused }) {
  const client = createClient({ baseUrl: location.origin })
  let line = null
  let lostSince = null

  async function open() {
    const opened = new AbortController()
    const isOurs = () => line === opened
    line = opened
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

  /** A line that was refused is not waited for. */
  function lose(isRefused = false) {
    lostSince ??= Date.now()
    if (!isRefused || lostSince === 0) return
    lostSince = 0
    onRefused()
  }

  function close() {
    line?.abort()
    line = null
  }

  return {
    /** Opens it when it is closed; a line that breaks is opened again by itself. */
    connect() {
      if (!line) open().catch(() => lose(true))
    },
    /** Closes it; it may be opened again at once. */
    rest: close,
    lose: () => lose(),
    isSilent: () => !line || (lostSince !== null && Date.now() - lostSince > PATIENCE),
  }
}
