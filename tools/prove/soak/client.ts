import { type HttpResponse, createSender } from '../../support/http-client.ts'
import { parseJson } from '../../support/parse-json.ts'
import type { Counts } from '../harness/counts.ts'
import type { Findings } from '../harness/findings.ts'
import type { Service } from '../harness/service.ts'

export interface JsonAnswer {
  status: number
  /** Parsed when it is JSON. */
  body: unknown
}

export type Client = (
  method: string,
  path: string,
  options?: { key?: string; body?: object },
) => Promise<JsonAnswer | null>

/**
 * Asks the service and checks the answer: while it is up it answers, and with no 5xx but a declared
 * 503. Null when there is no answer.
 */
export function createClient(service: Service, findings: Findings, statuses: Counts): Client {
  return async (method, path, { key, body } = {}) => {
    if (!service.isUp) return null
    const { epoch, url } = service
    const wasUp = () => service.isUp && service.epoch === epoch
    const what = `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, ':id')}`

    try {
      const headers = key === undefined ? {} : { 'x-api-key': key }
      const answer = await createSender(url)(path, { method, headers, body })
      const { status, text } = answer
      statuses.add(String(status))
      if (status >= 500 && wasUp() && !isDeclared(answer))
        findings.add('5xx', `${what}: ${status} ${text.slice(0, 80)}`)
      return { status, body: parseJson(text) }
    } catch (error) {
      if (wasUp()) findings.add('unanswered', `${what}: ${(error as Error).name}`)
      return null
    }
  }
}

function isDeclared({ status, headers, text }: HttpResponse): boolean {
  const { error } = (parseJson(text) ?? {}) as { error?: unknown }
  const isLater = /^[1-9]\d*$/.test(headers.get('retry-after') ?? '')
  return status === 503 && isLater && typeof error === 'string'
}
