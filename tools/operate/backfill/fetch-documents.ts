import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND_MS } from '../../../shared/argentine-time.ts'
import { USER_AGENT } from '../../../workers/scraper/sources/document.ts'

/** A document that could not be fetched. The message names the host and the reason. */
export class DocumentError extends Error {}

export type Documents = ReturnType<typeof fetchDocuments>

interface DocumentOptions {
  /** Requests `BASE/HOST/PATH` instead of `https://HOST/PATH`. Null: the public archives. */
  base: string | null
  signal?: AbortSignal
}

/** The pause between two requests, five times as long before a retry. No pause with a `base`. */
const PAUSE_MS = SECOND_MS
const DEADLINE_MS = 60 * SECOND_MS
const TRIES = 3

/**
 * Fetches documents one at a time, with pauses. A document that several series need is fetched
 * once. A host that does not answer is not requested again.
 */
export function fetchDocuments({ base, signal }: DocumentOptions) {
  const pauseMs = base === null ? PAUSE_MS : 0
  const fetched = new Map<string, string>()
  const silent = new Map<string, DocumentError>()
  let requests = 0

  async function ask(address: string): Promise<Response> {
    if (requests++ > 0) await sleep(pauseMs, undefined, { signal })
    const deadline = AbortSignal.timeout(DEADLINE_MS)
    return fetch(base === null ? address : address.replace('https:/', base), {
      headers: { Accept: 'application/json', 'User-Agent': USER_AGENT },
      signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
    })
  }

  async function request(address: string): Promise<string> {
    const { host } = new URL(address)
    const lost = silent.get(host)
    if (lost) throw lost

    for (let tries = 1; ; tries++) {
      try {
        const response = await ask(address)
        if (response.ok) return await response.text()

        await response.body?.cancel()
        const { status } = response
        if (tries === TRIES || (status !== 429 && status < 500))
          throw new DocumentError(`${host} answered ${status}`)
      } catch (error) {
        signal?.throwIfAborted()
        if (error instanceof DocumentError) throw error
        if (tries === TRIES) {
          silent.set(host, new DocumentError(`${host} does not answer (${codeOf(error)})`))
          throw silent.get(host)!
        }
      }
      await sleep(pauseMs * 4, undefined, { signal })
    }
  }

  return {
    /** The document of an address; rejects with a `DocumentError`. */
    async get(address: string): Promise<string> {
      signal?.throwIfAborted()
      const body = fetched.get(address) ?? (await request(address))
      fetched.set(address, body)
      return body
    },
    requests: () => requests,
  }
}

/** The reason of a failed fetch in one word: `ENOTFOUND`, `TimeoutError`. */
function codeOf(error: unknown): string {
  const { cause, name } = error as {
    cause?: { code?: string; errors?: { code?: string }[] }
    name: string
  }
  return cause?.code ?? cause?.errors?.[0]?.code ?? name
}
