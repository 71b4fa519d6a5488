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
  let source = null
  let state = null
  let lostSince = null
  let retryAt = 0
  let askedAt = Date.now()

  const become = (next) => {
    if (next !== state) onState((state = next))
  }

  function connect() {
    const opened = new EventSource(url)
    source = opened
    opened.addEventListener('open', alive)
    opened.addEventListener('quote', ({ data }) => {
      if (source === opened) alive()
      onQuote(JSON.parse(data))
    })
    opened.addEventListener('error', () => {
      if (source !== opened) return
      lostSince ??= Date.now()
      if (opened.readyState !== EventSource.CLOSED) return
      disconnect()
      retryAt = Date.now() + RETRY
      ask()
    })
  }

  function alive() {
    lostSince = null
    become('live')
  }

  function disconnect() {
    source?.close()
    source = null
  }

  async function ask() {
    askedAt = Date.now()
    try {
      await refresh()
      if (state !== 'live' || isSilent()) become('asking')
    } catch {
      if (state !== 'live' || isSilent()) become('lost')
    }
  }

  const isSilent = () => !source || (lostSince !== null && Date.now() - lostSince > PATIENCE)

  function tick() {
    if (document.hidden) return
    const now = Date.now()
    if (!source && now >= retryAt) connect()
    const turnedSilent = state === 'live' && isSilent()
    const due = now - askedAt >= (isSilent() ? MINUTE : Math.max(MINUTE, everyMs))
    if (due || turnedSilent) ask()
  }

  function look() {
    if (!document.hidden) return tick()
    disconnect()
    retryAt = 0
  }

  document.addEventListener('visibilitychange', look)
  addEventListener('online', () => {
    disconnect() // the old line is dead, whatever the browser still believes
    retryAt = 0
    askedAt = 0
    tick()
  })
  addEventListener('offline', () => {
    lostSince ??= Date.now()
    ask()
  })
  setInterval(tick, TICK)
  tick()
}
