/*
 * What keeps a page current: the stream of changes, and where it cannot be had, asking each minute.
 * A page that nobody looks at gives its place in the stream back.
 */
const MINUTE = 60_000
/** How often is looked whether something is due. */
const TICK = 5_000
/** A stream that was refused is tried again after so long. */
const RETRY = 2 * MINUTE
/** `EventSource` comes again by itself; only a longer silence is told. */
const PATIENCE = 8_000

/**
 * `onQuote` hears each change, `refresh` asks for everything (and throws when it cannot), `onState`
 * hears `live`, `asking` or `lost`. While the stream lives, only confirmations need `refresh`.
 */
export function follow({ url, everyMs, onQuote, refresh, onState }) {
  const stream = createStream({ url, onQuote, onAlive: () => become('live'), onRefused: ask })
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
function createStream({ url, onQuote, onAlive, onRefused }) {
  let source = null
  let lostSince = null
  let retryAt = 0

  function open() {
    const opened = new EventSource(url)
    source = opened
    opened.addEventListener('open', alive)
    opened.addEventListener('quote', ({ data }) => {
      if (source === opened) alive()
      onQuote(JSON.parse(data))
    })
    opened.addEventListener('error', () => {
      if (source !== opened) return
      lose()
      if (opened.readyState !== EventSource.CLOSED) return
      close()
      retryAt = Date.now() + RETRY
      onRefused()
    })
  }

  function alive() {
    lostSince = null
    onAlive()
  }

  function lose() {
    lostSince ??= Date.now()
  }

  function close() {
    source?.close()
    source = null
  }

  return {
    /** Opens it when it is closed and may be tried. */
    connect() {
      if (!source && Date.now() >= retryAt) open()
    },
    /** Closes it; it may be tried again at once. */
    rest() {
      close()
      retryAt = 0
    },
    lose,
    isSilent: () => !source || (lostSince !== null && Date.now() - lostSince > PATIENCE),
  }
}
