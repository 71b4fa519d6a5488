import type { Counts } from '../harness/counts.ts'
import type { Findings } from '../harness/findings.ts'
import type { Service } from '../harness/service.ts'

export interface Answer {
  status: number
  /** Parsed when it is JSON. */
  body: unknown
}

export type Ask = (
  method: string,
  path: string,
  options?: { key?: string; body?: object },
) => Promise<Answer | null>

/** Longer than anything may take; a request that waits so long counts as unanswered. */
const PATIENCE_MS = 20_000

/**
 * Asks the service and judges the answer: while it is up it answers, and never with a 5xx that is
 * not a declared 503. Null when there is no answer, because it was down, killed meanwhile or wrong.
 */
export function createAsk(service: Service, findings: Findings, statuses: Counts): Ask {
  return async (method, path, { key, body } = {}) => {
    if (!service.isUp) return null
    const { epoch, url } = service
    const wasUp = () => service.isUp && service.epoch === epoch
    const what = `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, ':id')}`

    try {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(key !== undefined && { 'x-api-key': key }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      const text = await response.text()
      statuses.add(String(response.status))
      if (response.status >= 500 && wasUp()) judge(response, text)
      return { status: response.status, body: parse(text) }
    } catch (error) {
      if (wasUp()) findings.add('unanswered', `${what}: ${(error as Error).name}`)
      return null
    }

    function judge(response: Response, text: string): void {
      const error = (parse(text) as { error?: unknown } | null)?.error
      const isDeclared =
        response.status === 503 &&
        /^[1-9]\d*$/.test(response.headers.get('retry-after') ?? '') &&
        typeof error === 'string'
      if (!isDeclared) findings.add('5xx', `${what}: ${response.status} ${text.slice(0, 80)}`)
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
