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

const UNREACHABLE = /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/

/**
 * Fetches documents one at a time, with pauses. A document that several series need is fetched
 * once. A host that cannot be reached is not requested again.
 */
export function fetchDocuments({ base, signal }: DocumentOptions) {
  const pauseMs = base === null ? PAUSE_MS : 0
  const fetched = new Map<string, string>()
  const unreachable = new Map<string, DocumentError>()
  let requests = 0

  async function request(address: string): Promise<string> {
    const { host } = new URL(address)
    for (let tries = 1; ; tries++) {
      const lost = unreachable.get(host)
      if (lost) throw lost

      if (requests++ > 0) await sleep(pauseMs, undefined, { signal })
      const answer = await ask(base === null ? address : address.replace('https:/', base), signal)
      if (typeof answer === 'string') return answer

      const error = new DocumentError(`${host} ${answer.problem}`)
      if (answer.isUnreachable) unreachable.set(host, error)
      if (!answer.isWorthAnother || tries === TRIES) throw error
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

interface Problem {
  problem: string
  isUnreachable?: boolean
  isWorthAnother: boolean
}

async function ask(url: string, signal: AbortSignal | undefined): Promise<string | Problem> {
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  try {
    const response = await fetch(url, {
      headers: { Accept: 'application/json', 'User-Agent': USER_AGENT },
      signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
    })
    if (response.ok) return await response.text()

    await response.body?.cancel()
    const { status } = response
    return { problem: `answered ${status}`, isWorthAnother: status === 429 || status >= 500 }
  } catch (error) {
    signal?.throwIfAborted()
    const code = codeOf(error)
    const isUnreachable = UNREACHABLE.test(code)
    return {
      problem: `does not answer (${code})`,
      isUnreachable,
      isWorthAnother: !isUnreachable,
    }
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
