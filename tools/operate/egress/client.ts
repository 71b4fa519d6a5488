/**
 * The way out of deliveries where workerd is ours: an HTTPS client that connects to the addresses
 * that the Worker validated for the attempt, with the name in `Host` and SNI, and in the certificate.
 */
import { setImmediate } from 'node:timers'
import { buildConnector, type Dispatcher, Pool } from 'undici'
import { isGlobalAddress } from '../../../shared/webhooks/destination/address.ts'
import { EgressFailure, type ResponseHead } from '../../../workers/delivery/attempt/egress.ts'

/** One POST, and where it may go. */
export interface EgressRequest {
  /** Without brackets where it is an address. */
  host: string
  /** With its query. */
  path: string
  /** Names and values by turns. */
  headers: string[]
  body: Uint8Array
  /** Validated by the Worker for this attempt, in order of preference. */
  addresses: readonly string[]
  /** A kept connection carries deliveries of one account. */
  accountId: string
}

export interface Endpoint {
  address: string
  port: number
}

/** Receivers on this machine by their names, each with the places that are tried. */
export type LocalReceivers = Readonly<Record<string, readonly Endpoint[]>>

/** What the process of the way out is told. */
export interface EgressOrder {
  receivers: LocalReceivers
  /** The socket where it is asked. */
  path: string
}

/** Where a request goes that need not go to a public address: to a receiver on this machine. */
export type Locate = (request: EgressRequest) => readonly Endpoint[] | undefined

/** Most addresses of a name that are tried. */
const MAX_ADDRESSES = 8

/** How long a connection waits for the next request, unless its receiver announces less. */
const KEEP_MS = 1000

/** The Worker's deadline of an attempt ends sooner; this one frees what the Worker forgot. */
const LIMIT_MS = 10_000

/** A longer head of a response is none. */
const MAX_HEAD_BYTES = 128 * 1024

/** A body that is longer, or takes longer, costs its connection. Nothing in it counts. */
const MAX_BODY_BYTES = 4096
const BODY_MS = 100

/** Sends requests over connections that are kept for an account, a name and an address. */
export class EgressClient {
  readonly #places = new Map<string, Place>()
  readonly #locate: Locate

  constructor(locate: Locate = () => undefined) {
    this.#locate = locate
  }

  /**
   * The head of the final response. Tries the next address when connecting or the handshake fails;
   * once the request may have left, never, so that it is one POST. Rejects with an `EgressFailure`,
   * or with the signal's reason.
   */
  async post(request: EgressRequest, signal: AbortSignal): Promise<ResponseHead> {
    for (const endpoint of this.#endpointsOf(request).slice(0, MAX_ADDRESSES)) {
      const place = this.#placeOf(request, endpoint)
      const exchange = new Exchange(place, signal)
      const { path, headers, body } = request
      place.pool.dispatch({ method: 'POST', path, headers, body }, exchange)
      try {
        return await exchange.head
      } catch {
        signal.throwIfAborted()
        if (exchange.hasBegun) break
      }
    }
    throw new EgressFailure('network')
  }

  async close(): Promise<void> {
    const places = [...this.#places.values()]
    this.#places.clear()
    await Promise.all(places.map(({ pool }) => pool.destroy()))
  }

  /** The Worker has checked the addresses; they are checked once more where the connection is made. */
  #endpointsOf(request: EgressRequest): readonly Endpoint[] {
    const local = this.#locate(request)
    if (local) return local

    const { addresses } = request
    if (addresses.length === 0 || !addresses.every((address) => isGlobalAddress(address)))
      throw new EgressFailure('destination')
    return addresses.map((address) => ({ address, port: 443 }))
  }

  /** Only a connection of the same account, name, address and port may carry a request. */
  #placeOf({ host, accountId }: EgressRequest, { address, port }: Endpoint): Place {
    const key = `${accountId} ${host} ${address} ${port}`
    const known = this.#places.get(key)
    if (known) return known

    const place = openPlace(host, { address, port })
    // Asked in a later turn: those that waited for the connection are told after this event.
    const forgetUnused = () =>
      setImmediate(() => {
        const { connected, size } = place.pool.stats
        if (connected + size > 0 || this.#places.get(key) !== place) return
        this.#places.delete(key)
        void place.pool.close()
      })
    place.pool.on('disconnect', forgetUnused).on('connectionError', forgetUnused)
    this.#places.set(key, place)
    return place
  }
}

/** The connections to a name at an address. */
interface Place {
  pool: Pool
  /** Requests that have no connection yet. */
  waiting: number
}

function openPlace(host: string, { address, port }: Endpoint): Place {
  const connect = buildConnector({ timeout: LIMIT_MS })
  const origin = host.includes(':') ? `https://[${host}]` : `https://${host}`
  const pool = new Pool(origin, {
    connect(options, callback) {
      // After an aborted request the library connects again, though nothing is left to send.
      if (place.waiting === 0) callback(new Error('nothing to send'), null)
      else connect({ ...options, hostname: address, port: String(port) }, callback)
    },
    headersTimeout: LIMIT_MS,
    keepAliveTimeout: KEEP_MS,
    keepAliveMaxTimeout: KEEP_MS,
    maxHeaderSize: MAX_HEAD_BYTES,
  })
  const place: Place = { pool, waiting: 0 }
  return place
}

/** One request and the head of its response; of the body only its end matters. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #head = Promise.withResolvers<ResponseHead>()
  readonly #place: Place
  readonly #signal: AbortSignal
  #hasBegun = false
  #isWaiting = true
  #hasHead = false
  #bodyBytes = 0
  #bodyTimer: NodeJS.Timeout | undefined
  #stop = () => {}

  constructor(place: Place, signal: AbortSignal) {
    this.#place = place
    this.#signal = signal
    place.waiting += 1
  }

  get head(): Promise<ResponseHead> {
    return this.#head.promise
  }

  /** Whether a byte of the request may have left. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#waitNoMore()
    this.#stop = () => controller.abort(new Error('over'))
    if (this.#signal.aborted) return this.#stop()
    this.#hasBegun = true
    this.#signal.addEventListener('abort', this.#stop)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    code: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (code < 200) return
    this.#hasHead = true
    const [retryAfter] = [headers['retry-after']].flat()
    this.#head.resolve({ code, retryAfter: retryAfter ?? null })
    this.#bodyTimer = setTimeout(() => controller.abort(new Error('slow body')), BODY_MS)
  }

  onResponseData(controller: Dispatcher.DispatchController, { length }: Buffer): void {
    this.#bodyBytes += length
    if (this.#bodyBytes > MAX_BODY_BYTES) controller.abort(new Error('long body'))
  }

  onResponseEnd(): void {
    this.#end()
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#end()
    if (!this.#hasHead) this.#head.reject(error)
  }

  #waitNoMore(): void {
    if (this.#isWaiting) this.#place.waiting -= 1
    this.#isWaiting = false
  }

  #end(): void {
    this.#waitNoMore()
    clearTimeout(this.#bodyTimer)
    this.#signal.removeEventListener('abort', this.#stop)
  }
}
