import { type Instant, SECOND_MS } from '../../shared/argentine-time.ts'
import { RecentlyUsed } from '../../shared/recently-used.ts'

/**
 * The most bytes of all responses together, and of one. All pages with fifteen years of each pair
 * are 6 MB.
 */
const MAX_BYTES = 8_000_000
const MAX_ANSWER_BYTES = 1_000_000

/** Later requests do not wait for a response that takes longer. */
const MAKING_MS = 5 * SECOND_MS

export interface KeptResponse {
  body: ArrayBuffer
  /** With the ETag. */
  headers: Headers
  /** The version of its data, and when it was made. */
  version: string
  madeAt: Instant
}

type Making = Promise<KeptResponse | null>

/** The responses that an isolate keeps, by address. */
export class KeptResponses {
  readonly now: () => Instant
  readonly #responses = new RecentlyUsed<KeptResponse>(MAX_BYTES, sizeOf)
  readonly #making = new Map<string, { since: Instant; made: Making }>()

  constructor(now: () => Instant) {
    this.now = now
  }

  /** The response of this version, if it is not older than `forMs`. */
  find(key: string, version: string, forMs: number): KeptResponse | null {
    const answer = this.#responses.get(key)
    if (!answer || answer.version !== version) return null
    return Math.abs(this.now() - answer.madeAt) < forMs ? answer : null
  }

  /** The response that another request is making; it resolves to null when it is not to be kept. */
  beingMade(key: string): Making | null {
    const making = this.#making.get(key)
    return making && Math.abs(this.now() - making.since) < MAKING_MS ? making.made : null
  }

  /** Keeps what is made, and lets other requests wait for it. */
  keep(key: string, made: Making): Making {
    const kept = made
      .then((answer) => {
        if (answer && sizeOf(answer, key) <= MAX_ANSWER_BYTES) this.#responses.set(key, answer)
        return answer
      })
      .finally(() => {
        if (this.#making.get(key)?.made === kept) this.#making.delete(key)
      })
    this.#making.set(key, { since: this.now(), made: kept })
    return kept
  }

  /** The bytes of all kept responses. */
  get bytes(): number {
    return this.#responses.weight
  }
}

/** A long query, or the board in the version, may be larger than a small body. */
function sizeOf({ body, version }: KeptResponse, key: string): number {
  return body.byteLength + 2 * (key.length + version.length)
}
