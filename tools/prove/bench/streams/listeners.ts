/**
 * Opens event streams on loopback ports and notes when each event arrives: a process of its own, so
 * that it takes no time from the server. Sent `{ports, count}`, it says `open` when so many more have
 * their first event. Sent `{at}`, it says how long that publication took to each, once all have it.
 */
import { connect } from 'node:net'

/** As many as one address may hold. */
const PER_CLIENT = 10
const CONNECT_AT_ONCE = 200

/** By the instant in the event's id, which is when it was published: milliseconds until it came. */
const arrivals = new Map<number, number[]>()
let awaited: number | null = null
let opened = 0

process.on('disconnect', () => process.exit())
process.on('message', (order: { ports: number[]; count: number } | { at: number }) => {
  if ('at' in order) {
    awaited = order.at
    return sendWhenAll()
  }
  openAll(order.ports, opened + order.count).then(
    () => process.send!('open'),
    (error: Error) => process.send!(error.message),
  )
})

function sendWhenAll(): void {
  const list = awaited === null ? undefined : arrivals.get(awaited)
  if (!list || list.length < opened) return

  process.send!(list)
  arrivals.clear()
  awaited = null
}

async function openAll(ports: readonly number[], all: number): Promise<void> {
  async function work(): Promise<void> {
    while (opened < all) await openOne(ports[opened % ports.length]!, opened++)
  }
  await Promise.all(Array.from({ length: CONNECT_AT_ONCE }, work))
}

/** One buffer serves all sockets: an HTTP client would take as much time as the server. */
const buffer = Buffer.alloc(256 * 1024)

/** Resolves with the first event. */
function openOne(port: number, index: number): Promise<void> {
  const client = Math.floor(index / PER_CLIENT)
  const address = `10.0.${client >> 8}.${client & 255}`
  return new Promise((resolve, reject) => {
    const callback = (length: number, bytes: Uint8Array) => {
      if (note(Buffer.from(bytes.buffer, bytes.byteOffset, length))) resolve()
      return true
    }
    const socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback } })
    const end = () => reject(new Error(`stream ${index} ended before its first event`))
    socket.once('error', reject).once('close', end)
    socket.write(
      `GET /api/v2/stream?pairs=usd/blue HTTP/1.1\r\nHost: bench.test\r\nCF-Connecting-IP: ${address}\r\n\r\n`,
    )
  })
}

/** Notes the last event of what came; false when there is none in it. */
function note(bytes: Buffer): boolean {
  const now = Date.now()
  const begin = bytes.lastIndexOf('id: ')
  if (begin === -1) return false

  const at = Number(bytes.toString('latin1', begin + 4, bytes.indexOf('-', begin)))
  const list = arrivals.get(at)
  if (list) list.push(now - at)
  else arrivals.set(at, [now - at])
  if (at === awaited) sendWhenAll()
  return true
}
