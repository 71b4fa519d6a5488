import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND_MS } from '../../../shared/argentine-time.ts'
import { USER_AGENT } from '../../../workers/scraper/sources/document.ts'

/** A document that could not be fetched. The message names the host and the reason. */
export class DocumentError extends Error {}

/** Fetches the document of an address. Rejects with a `DocumentError`. */
export type GetDocument = (address: string) => Promise<string>

interface DocumentOptions {
  /** Requests `BASE/HOST/PATH` instead of `https://HOST/PATH`. Null for the public archives. */
  base: string | null
  signal?: AbortSignal
}

/** The pause before a request. Before a retry it is five times as long. No pause with a `base`. */
const PAUSE_MS = SECOND_MS
const DEADLINE_MS = 60 * SECOND_MS
const TRIES = 3

/**
 * Fetches documents one at a time, with pauses. A document that several series need is fetched
 * once. A host that fails three times in a row is not requested again.
 */
export function fetchDocuments({ base, signal }: DocumentOptions): GetDocument {
  const pauseMs = base === null ? PAUSE_MS : 0
  const fetched = new Map<string, string>()
  const lost = new Map<string, DocumentError>()

  /** The document, or the problem and whether a retry may help. */
  async function ask(address: string) {
    const deadline = AbortSignal.timeout(DEADLINE_MS)
    try {
      const response = await fetch(base === null ? address : address.replace('https:/', base), {
        headers: { Accept: 'application/json', 'User-Agent': USER_AGENT },
        signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
      })
      if (response.ok) return { text: await response.text() }

      await response.body?.cancel()
      const { status } = response
      return { problem: `answered ${status}`, mayPass: status === 429 || status >= 500 }
    } catch (error) {
      signal?.throwIfAborted()
      return { problem: `does not answer (${codeOf(error)})`, mayPass: true }
    }
  }

  async function request(address: string): Promise<string> {
    const { host } = new URL(address)
    for (let tries = 1; ; tries++) {
      const given = lost.get(host)
      if (given) throw given

      await sleep(tries === 1 ? pauseMs : 5 * pauseMs, undefined, { signal })
      const { text, problem, mayPass } = await ask(address)
      if (text !== undefined) return text

      const error = new DocumentError(`${host} ${problem}`)
      if (!mayPass) throw error
      if (tries === TRIES) lost.set(host, error)
    }
  }

  return async (address) => {
    const text = fetched.get(address) ?? (await request(address))
    fetched.set(address, text)
    return text
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
