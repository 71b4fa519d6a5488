import type { connect as Connect } from 'cloudflare:sockets'
import type { ResponseHead } from '../outcome.ts'
import { BodyEnd, type BodyState } from './body-end.ts'
import { ResponseHeadReader } from './response-head.ts'
import { type Endpoint, TransportFailure } from './transport.ts'

type Piece = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>

/** A TLS connection to a receiver, which carries one exchange after the other. */
export class Connection {
  readonly #socket: Socket
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  /** The read that is under way between two exchanges. It should not end. */
  #next: Promise<Piece> | null = null
  #isSilent = false
  #body: BodyEnd | null = null
  /** Of the last response; `wrong` when its end is in doubt. */
  #bodyState: BodyState = 'wrong'

  constructor(socket: Socket) {
    this.#socket = socket
    this.#writer = socket.writable.getWriter()
    this.#reader = socket.readable.getReader() as ReadableStreamDefaultReader<Uint8Array>
  }

  get bodyState(): BodyState {
    return this.#bodyState
  }

  /**
   * Whether the last response has ended and nothing has come since: no byte, and no end of the
   * connection. What came could be taken for an answer to the next request.
   */
  get isSilent(): boolean {
    return this.#isSilent
  }

  /** Sends the request and reads until the head of the final response is there. */
  async exchange(bytes: Uint8Array): Promise<ResponseHead> {
    const head = new ResponseHeadReader()
    this.#isSilent = false
    // Not awaited before reading: a receiver may answer, and close, before it has read everything.
    this.#writer.write(bytes).catch(() => {})
    try {
      while (true) {
        const { value, done } = await this.#read()
        if (done) throw new Error('closed before a response')

        const complete = head.push(value)
        if (!complete) continue
        this.#body = head.framing && new BodyEnd(head.framing)
        this.#note(this.#body?.push(head.rest) ?? 'wrong')
        return complete
      }
    } catch {
      throw new TransportFailure('network', 'no response')
    }
  }

  /** Reads the rest of the response; nothing of it is kept. */
  async readBody(): Promise<void> {
    while (this.#bodyState === 'more') {
      const { value, done } = await this.#read().catch(() => ({ value: undefined, done: true }))
      this.#note(done || !value ? 'wrong' : this.#body!.push(value))
    }
  }

  /** Resolves when a silent connection is silent no more. */
  async broken(): Promise<void> {
    await this.#next?.catch(() => {})
  }

  /** After an abort the connection would stay open until the invocation ends. */
  close(): void {
    this.#isSilent = false
    this.#reader.cancel().catch(() => {})
    this.#writer.close().catch(() => {})
    this.#socket.close().catch(() => {})
  }

  #note(state: BodyState): void {
    this.#bodyState = state
    if (state !== 'ended') return

    const spoil = () => {
      this.#isSilent = false
    }
    this.#isSilent = true
    this.#next = this.#reader.read()
    this.#next.then(spoil, spoil)
  }

  #read(): Promise<Piece> {
    const read = this.#next ?? this.#reader.read()
    this.#next = null
    return read
  }
}

/** Connects to a validated address, with SNI and certificate check of the original name. */
export async function openTls(
  connect: typeof Connect,
  { address, port }: Endpoint,
  serverName: string,
  signal: AbortSignal,
): Promise<Connection> {
  const hostname = address.includes(':') ? `[${address}]` : address
  const plain = connect({ hostname, port }, { secureTransport: 'starttls', allowHalfOpen: false })
  plain.closed.catch(() => {})
  await abortable(plain, signal, plain.opened)

  const expectedServerHostname = serverName.replace(/^\[|\]$/g, '')
  const secure = plain.startTls({ expectedServerHostname })
  secure.closed.catch(() => {})
  await abortable(secure, signal, secure.opened)
  return new Connection(secure)
}

/** The value of `work`, or the signal's reason as soon as it aborts; then it is closed. */
export async function abortable<Value>(
  socket: { close(): unknown },
  signal: AbortSignal,
  work: Promise<Value>,
): Promise<Value> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => {
    void Promise.resolve(socket.close()).catch(() => {})
    aborted.reject(signal.reason)
  }
  work.catch(() => {})
  signal.addEventListener('abort', abort)
  try {
    signal.throwIfAborted()
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
