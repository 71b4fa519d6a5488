import { type Instant, SECOND_MS } from '../../../shared/argentine-time.ts'
import { RecentlyUsed } from '../../../shared/recently-used.ts'

/** Of all answers together, and of one. All pages with fifteen years of each pair are 6 MB. */
const MAX_BYTES = 8_000_000
const MAX_ANSWER_BYTES = 1_000_000

/** Later requests do not wait for one that takes longer to make an answer. */
const MAKING_MS = 5 * SECOND_MS

export interface KeptResponse {
  body: ArrayBuffer
  /** With the tag. */
  headers: Headers
  /** What it was made of, and when. */
  version: string
  madeAt: Instant
}

type Making = Promise<KeptResponse | null>

/** The answers that an isolate keeps by their address. */
export class KeptResponses {
  readonly now: () => Instant
  readonly #responses = new RecentlyUsed<KeptResponse>(MAX_BYTES, sizeOf)
  readonly #making = new Map<string, { since: Instant; made: Making }>()

  constructor(now: () => Instant) {
    this.now = now
  }

  /** The answer of this version, when it is not older than `forMs`. */
  find(key: string, version: string, forMs: number): KeptResponse | null {
    const answer = this.#responses.get(key)
    if (!answer || answer.version !== version) return null
    return Math.abs(this.now() - answer.madeAt) < forMs ? answer : null
  }

  /** What another request is making; it comes to null when that is not to be kept. */
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

  /** Of the kept answers together. */
  get bytes(): number {
    return this.#responses.weight
  }
}

/** An address with a long query, or the board beside a small picture, may weigh more than the body. */
function sizeOf({ body, version }: KeptResponse, key: string): number {
  return body.byteLength + 2 * (key.length + version.length)
}
