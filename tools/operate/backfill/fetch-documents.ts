import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND_MS } from '../../../shared/argentine-time.ts'
import { USER_AGENT } from '../../../workers/scraper/sources/parsing/browser.ts'

/** A document that could not be had; the text names the host and says why. */
export class DocumentError extends Error {}

export type Documents = ReturnType<typeof fetchDocuments>

export interface DocumentOptions {
  /** Asks `BASE/HOST/PATH` for `https://HOST/PATH`; null for the public archives. */
  base: string | null
  /** Between two requests of one host; none where a base stands in for it. */
  pauseMs?: number
  signal?: AbortSignal
}

const PAUSE_MS = SECOND_MS
const DEADLINE_MS = 60 * SECOND_MS
const TRIES = 3
const LONGEST_WAIT_MS = 60 * SECOND_MS

/**
 * Fetches documents, one at a time, with a pause between two of the same host. Several series may be
 * in one document, which is fetched once. A host that cannot be reached at all is not asked again.
 */
export function fetchDocuments({
  base,
  pauseMs = base === null ? PAUSE_MS : 0,
  signal,
}: DocumentOptions) {
  const fetched = new Map<string, string>()
  const lastAt = new Map<string, number>()
  const unreachable = new Map<string, DocumentError>()
  const spent = { requests: 0, ms: 0 }

  async function ask(address: string): Promise<string> {
    const { host } = new URL(address)
    const url = base === null ? address : address.replace('https:/', base)
    for (let left = TRIES - 1; ; left--) {
      const lost = unreachable.get(host)
      if (lost) throw lost

      const wait = (lastAt.get(host) ?? -Infinity) + pauseMs - performance.now()
      if (wait > 0) await sleep(wait, undefined, { signal })
      spent.requests++
      const answer = await request(host, url, signal)
      lastAt.set(host, performance.now())
      if ('body' in answer) return answer.body
      if (answer.isFinal) unreachable.set(host, answer.error)
      else if (left === 0 || !answer.isWorthAnother) throw answer.error
      else
        await sleep(Math.min(answer.waitMs ?? pauseMs * 4, LONGEST_WAIT_MS), undefined, { signal })
    }
  }

  return {
    /** The document of an address; rejects with a `DocumentError`. */
    async get(address: string): Promise<string> {
      signal?.throwIfAborted()
      const known = fetched.get(address)
      if (known !== undefined) return known

      const begin = performance.now()
      const body = await ask(address).finally(() => (spent.ms += performance.now() - begin))
      fetched.set(address, body)
      return body
    },
    /** Requests made so far, and the milliseconds that they and their pauses took. */
    spent,
  }
}

type Fetched =
  | { body: string }
  | { error: DocumentError; isFinal: boolean; isWorthAnother: boolean; waitMs?: number }

async function request(host: string, url: string, signal?: AbortSignal): Promise<Fetched> {
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  try {
    const response = await fetch(url, {
      headers: { Accept: 'application/json', 'User-Agent': USER_AGENT },
      signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
    })
    if (response.ok) return { body: await response.text() }

    await response.body?.cancel()
    const { status } = response
    const after = Number(response.headers.get('retry-after') ?? Number.NaN)
    return {
      error: new DocumentError(`${host} answered ${status}`),
      isFinal: false,
      isWorthAnother: status === 429 || status >= 500,
      ...(after > 0 && { waitMs: after * SECOND_MS }),
    }
  } catch (error) {
    signal?.throwIfAborted()
    const code = codeOf(error)
    return {
      error: new DocumentError(`${host} does not answer (${code})`),
      isFinal: /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/.test(code),
      isWorthAnother: true,
    }
  }
}

/** `ENOTFOUND`, `TimeoutError`: why a fetch failed, in one word. */
function codeOf(error: unknown): string {
  const { cause, name } = error as {
    cause?: { code?: string; errors?: { code?: string }[] }
    name: string
  }
  return cause?.code ?? cause?.errors?.[0]?.code ?? name
}
