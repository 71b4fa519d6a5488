/**
 * Opens event streams on loopback ports and notes when each event arrives: a process of its own, so
 * that it takes no time from the server. Told `{ports, count, pairs}`, it says `open` when all of them
 * have their first event; told `{at, count}`, it sends how long that publication took to each, once so
 * many have it.
 */
import { connect, type Socket } from 'node:net'

/** As many as one address may hold. */
const PER_CLIENT = 10
const CONNECT_AT_ONCE = 200

interface Order {
  ports: number[]
  count: number
  /** Of the query `pairs`; null for all. */
  pairs: string | null
}

/** By the instant in the event's id, which is when it was published: milliseconds until it came. */
const arrivals = new Map<number, number[]>()
/** A publication, by its instant, and how many streams are to have it. */
interface Awaited {
  at: number
  count: number
}
let awaited: Awaited | null = null
const sockets: Socket[] = []

/** So many are open; each ten of them have an address of their own. */
let opened = 0

process.on('disconnect', () => process.exit())
process.on('message', (order: Order | Awaited) => {
  if ('at' in order) {
    awaited = order
    sayWhenAll()
    return
  }
  openAll(order).then(
    () => process.send!('open'),
    (error: Error) => process.send!(error.message),
  )
})

/** Says in one message how long the awaited publication took to each stream, once all have it. */
function sayWhenAll(): void {
  const list = awaited && arrivals.get(awaited.at)
  if (!list || list.length < awaited!.count) return

  process.send!(list)
  arrivals.clear()
  awaited = null
}

async function openAll({ ports, count, pairs }: Order): Promise<void> {
  const first = opened
  let next = 0
  await Promise.all(
    Array.from({ length: Math.min(CONNECT_AT_ONCE, count) }, async () => {
      while (next < count) await openOne(ports[next % ports.length]!, first + next++, pairs)
    }),
  )
  opened += count
}

/** Resolves with the first event. One buffer serves all sockets: nothing is kept of what they say. */
const buffer = Buffer.alloc(256 * 1024)
function openOne(port: number, index: number, pairs: string | null): Promise<void> {
  const client = Math.floor(index / PER_CLIENT)
  const address = `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`
  const query = pairs === null ? '' : `?pairs=${pairs}`

  return new Promise((resolve, reject) => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      onread: {
        buffer,
        callback(length, bytes) {
          if (note(Buffer.from(bytes.buffer, bytes.byteOffset, length))) resolve()
          return true
        },
      },
    })
    const left = () => reject(new Error(`stream ${index} ended before its first event`))
    socket.once('error', reject).once('close', left)
    socket.write(
      `GET /api/v2/stream${query} HTTP/1.1\r\nHost: bench.test\r\nCF-Connecting-IP: ${address}\r\n\r\n`,
    )
    sockets.push(socket)
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
  if (at === awaited?.at) sayWhenAll()
  return true
}
