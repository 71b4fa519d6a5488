import type { Instant } from '../../../../shared/argentine-time.ts'
import { MAX_CONNECTIONS } from '../../../../shared/db/deliveries/batch.ts'
import type { Connection } from './connection.ts'
import type { KeepingHosts } from './keeping-hosts.ts'

/**
 * How long a connection may rest before it is used again, in milliseconds. Servers that close idle
 * ones do so after two seconds and more.
 */
export const REST_MS = 1000

/**
 * How long a receiver must have left a connection open, once, before any of its is used again. One
 * that closes after its answer without saying so does it at once.
 */
export const TRIAL_MS = 100

/**
 * How long the rest of a response is waited for, when it did not come with the head. A sender
 * without TCP_NODELAY waits for our acknowledgement, up to 40 ms.
 */
const BODY_MS = 50

interface Resting {
  key: string
  connection: Connection
  since: Instant
}

/**
 * Connections of one invocation that wait for another delivery to the same receiver. They belong to
 * the invocation that opened them: workerd lets no other use them.
 */
export class KeptConnections {
  readonly #now: () => Instant
  readonly #sleep: (ms: number) => Promise<void>
  readonly #hosts: KeepingHosts
  readonly #limit: number
  /** The longest resting first. */
  #resting: Resting[] = []
  #inUse = 0
  #isSweeping = false

  constructor(deps: {
    now: () => Instant
    sleep: (ms: number) => Promise<void>
    hosts: KeepingHosts
    /** Most connections to receivers that are open at once, those in use included. */
    limit?: number
  }) {
    this.#now = deps.now
    this.#sleep = deps.sleep
    this.#hosts = deps.hosts
    this.#limit = deps.limit ?? MAX_CONNECTIONS
  }

  /**
   * Runs an exchange. With it, no more connections to receivers are open than `limit`. Questions to
   * the resolver come on top of those that rest; workerd of our own counts neither.
   */
  async using<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#inUse += 1
    try {
      return await work()
    } finally {
      this.#inUse -= 1
    }
  }

  /** A connection that rests and is silent, under one of these keys. */
  async take(keys: readonly string[]): Promise<{ key: string; connection: Connection } | null> {
    while (true) {
      const found = this.#resting.findLast(({ key }) => keys.includes(key))
      if (!found) break
      this.#resting = this.#resting.filter((one) => one !== found)
      // What has arrived and was not looked at yet: a byte, or the end.
      await this.#sleep(0)
      if (!this.#isOver(found) && found.connection.isSilent) return found
      this.#drop(found)
    }
    while (this.#resting.length > 0 && this.#resting.length + this.#inUse > this.#limit)
      this.#resting.shift()!.connection.close()
    return null
  }

  /**
   * Whether the connection rests here now; else its owner closes it. It rests when its response has
   * ended for certain and the receiver is known to leave connections open, which is tried once.
   */
  async offer(key: string, connection: Connection, signal: AbortSignal): Promise<boolean> {
    if (connection.bodyState === 'wrong') return false
    const known = this.#hosts.ask(key)
    if (known === 'closes') return false

    if (connection.bodyState === 'more') await this.#within(BODY_MS, connection.readBody(), signal)
    if (known === 'unknown' && connection.isSilent)
      await this.#within(TRIAL_MS, connection.broken(), signal)
    if (signal.aborted) return false

    if (known === 'unknown' || !connection.isSilent) this.#hosts.note(key, connection.isSilent)
    if (!connection.isSilent) return false
    this.#resting.push({ key, connection, since: this.#now() })
    void this.#sweep()
    return true
  }

  /** The receiver closed a connection under a request: no other of its is used again. */
  lost(key: string): void {
    this.#hosts.note(key, false)
  }

  closeAll(): void {
    for (const { connection } of this.#resting.splice(0)) connection.close()
  }

  #drop({ key, connection }: Resting): void {
    if (!connection.isSilent) this.#hosts.note(key, false)
    connection.close()
  }

  /** Whether it has rested too long, or nobody knows how long: the clock went back. */
  #isOver({ since }: Resting): boolean {
    const rest = this.#now() - since
    return rest < 0 || rest > REST_MS
  }

  /** Closes what has rested too long. */
  async #sweep(): Promise<void> {
    if (this.#isSweeping) return
    this.#isSweeping = true
    while (this.#resting.length > 0) {
      await this.#sleep(REST_MS / 4)
      const over = this.#resting.filter((one) => this.#isOver(one))
      this.#resting = this.#resting.filter((one) => !over.includes(one))
      for (const one of over) this.#drop(one)
    }
    this.#isSweeping = false
  }

  async #within(ms: number, work: Promise<void>, signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<void>()
    const abort = () => aborted.resolve()
    signal.addEventListener('abort', abort)
    await Promise.race([work, this.#sleep(ms), aborted.promise])
    signal.removeEventListener('abort', abort)
  }
}
