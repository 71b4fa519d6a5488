import type { Context } from 'hono'
import type { Instant } from '../../shared/argentine-time.ts'
import { RecentlyUsed } from '../../shared/bounded-memory.ts'
import type { LimitRead, Deps, EdgeContext, EdgeEnv } from './context.ts'
import { prefersCsv } from './http/accept.ts'
import { type Answer, responseTo } from './http/answer.ts'

/** The memory's limit: room for about seven thousand answers about one pair. */
export const MOST_BYTES = 8_000_000
/** The size of an entry besides its body and its key, mostly two sets of headers. */
const ENTRY_BYTES = 800

interface Kept extends Validity {
  answer: Answer
  /** The limit per client. Each repeated answer counts against it, like the first. */
  limitRead: LimitRead | undefined
}

/** When an answer may be repeated: from the instant at which its data was read until it expires. */
interface Validity {
  from: Instant
  until: Instant
}

/**
 * Whole answers to GET in the isolate's memory, by address and by JSON or CSV. `repeat` runs before
 * Hono and logs nothing. Its responses have no request id: an id would cost more than the response.
 */
export class AnswerMemory {
  readonly #now: Deps['now']
  readonly #kept = new RecentlyUsed<Kept>(
    MOST_BYTES,
    ({ answer: { body } }, key) => body.length + key.length + ENTRY_BYTES,
  )

  constructor({ now }: Pick<Deps, 'now'>) {
    this.#now = now
  }

  /** The bytes of all answers. */
  get weight(): number {
    return this.#kept.weight
  }

  /** The response to a GET or HEAD from a valid kept answer; null when the app must answer. */
  repeat(request: Request, env: EdgeEnv, context: ExecutionContext): Response | null {
    const { method } = request
    if (method !== 'GET' && method !== 'HEAD') return null

    const kept = this.#kept.get(keyOf(request))
    if (!kept) return null
    const now = this.#now()
    if (now < kept.from || now >= kept.until) return null

    return kept.limitRead?.(request, env, context) ?? responseTo(request, kept.answer)
  }

  /**
   * Responds for a route and keeps the answer while it is valid, unless the address has a parameter
   * that the route ignores.
   */
  respond(
    { req, var: { parameters, limitRead } }: Context<EdgeContext>,
    answer: Answer,
    validity: Validity | null,
  ): Response {
    if (validity && readsAll(req.url, parameters))
      this.#kept.set(keyOf(req.raw), { answer, limitRead, ...validity })
    return responseTo(req.raw, answer)
  }
}

/** The key of an answer: its address, and whether the answer is CSV. */
function keyOf({ url, headers }: Request): string {
  return prefersCsv(headers.get('Accept')) ? `${url} csv` : url
}

/** Whether the query of an address has only these parameters, each at most once. */
function readsAll(url: string, parameters: readonly string[]): boolean {
  if (!url.includes('?')) return true
  const given = [...new URL(url).searchParams.keys()]
  return new Set(given).size === given.length && given.every((name) => parameters.includes(name))
}
