import type { Instant } from '../../shared/argentine-time.ts'
import type { SubscriptionKind } from '../../shared/webhooks/webhook.ts'
import { seedAccount, seedKey } from './accounts.ts'
import { type EdgeBindings, openEdge } from './edge.ts'
import { NOW } from './webhooks.ts'

export const WEBHOOKS = '/api/v2/webhooks'
export const ALERTS = '/api/v2/alerts'

/** Both kinds, for tests that apply to both. */
export const KINDS = ['webhook', 'alert'] as const
export const OTHER = { webhook: 'alert', alert: 'webhook' } as const

/** Admission open, and a sender of e-mails. */
export const OPEN = { WEBHOOK_ADMISSION: 'open', MAIL_FROM: 'avisos@cotizaciones.test' }

/** Calls that fit into a minute of the management quota, with room for the last batch of 20. */
const CALLS_PER_MINUTE = 10

export interface Answer {
  status: number
  headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- what the tests are about
  body: any
  text: string
}

export interface ClientOptions {
  /** The kind that its functions use; webhooks when absent. */
  kind?: SubscriptionKind
  /** An existing account, for another client with its own key. Without it, a new account. */
  accountId?: string
  email?: string
  env?: EdgeBindings
  now?: Instant
}

/**
 * An account's client of the real edge, gate included, with admission open and a queue that keeps
 * its messages. Its clock moves a minute every few calls, because of the quota.
 */
export async function openClient(options: ClientOptions = {}) {
  const { kind = 'webhook', email, env = {}, now = NOW } = options
  const root = kind === 'webhook' ? WEBHOOKS : ALERTS
  const { key, accountId } = options.accountId
    ? await seedKey(options.accountId)
    : await seedAccount(email)
  const sent: unknown[] = []
  const edge = openEdge({ now, env: { ...OPEN, DELIVERIES: queueInto(sent), ...env } })
  let calls = 0

  async function send(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    calls += 1
    if (calls % CALLS_PER_MINUTE === 0) edge.clock.now += 60_000

    const response = await edge.fetch(path, {
      method,
      ...init,
      headers: { 'x-api-key': key, ...init.headers },
    })
    const text = await response.text()
    const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : null,
      text,
    }
  }

  function call(method: string, path: string, body?: unknown): Promise<Answer> {
    if (body === undefined) return send(method, path)
    const headers = { 'Content-Type': 'application/json' }
    return send(method, path, { body: JSON.stringify(body), headers })
  }

  const create = (changes: Record<string, unknown> = {}) =>
    call('POST', root, kind === 'webhook' ? aBody(changes) : anAlert(changes))

  return {
    kind,
    accountId,
    key,
    sent,
    clock: edge.clock,
    send,
    call,
    list: () => call('GET', root),
    create,
    /** Creates a subscription and returns it with its secret. */
    async made(changes: Record<string, unknown> = {}) {
      const { status, body, text } = await create(changes)
      if (status !== 201) throw new Error(`${status}: ${text}`)
      return { ...body[kind], secret: body.secret } as {
        id: string
        operationId: string
        secret: string
      }
    },
    read: (id: string) => call('GET', `${root}/${id}`),
    edit: (id: string, body: unknown) => call('PATCH', `${root}/${id}`, body),
    remove: (id: string, version: number) => call('DELETE', `${root}/${id}`, { version }),
    rotate: (id: string, version: number) =>
      call('POST', `${root}/${id}/rotate-secret`, { version }),
    test: (id: string) => call('POST', `${root}/${id}/test`, {}),
    redeliver: (deliveryId: string) => call('POST', `${root}/deliveries/${deliveryId}/redeliver`),
    redeliverSince: (id: string, since: string) =>
      call('POST', `${root}/${id}/redeliver`, { since }),
    deliveries: (query = '') => call('GET', `${root}/deliveries${query}`),
  }
}

/** A queue that keeps its messages. */
export function queueInto(sent: unknown[]): Pick<Queue, 'send' | 'sendBatch'> {
  const taken = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
  return {
    async send(body) {
      sent.push(body)
      return taken
    },
    async sendBatch(batch) {
      sent.push(...[...batch].map(({ body }) => body))
      return taken
    },
  }
}

export type Client = Awaited<ReturnType<typeof openClient>>

/** A client with one subscription. */
export async function openWithOne(options: ClientOptions = {}, fields = {}) {
  const client = await openClient(options)
  return { ...client, id: (await client.made(fields)).id }
}

/** Another client of the same account and kind, with its own key and these changes. */
export function also({ kind, accountId }: Client, changes: ClientOptions): Promise<Client> {
  return openClient({ kind, accountId, ...changes })
}

/** Admission closed. */
export const CLOSED = { env: { WEBHOOK_ADMISSION: 'closed' } }

/** A valid creation of a webhook, with the changes of the test. */
export function aBody(changes: Record<string, unknown> = {}) {
  return {
    operationId: crypto.randomUUID(),
    url: 'https://receptor.example/hooks/una-ruta?clave=una-clave',
    currency: 'USD',
    origin: 'BLUE',
    enabled: true,
    ...changes,
  }
}

/** A valid creation of an alert, with the changes of the test. */
export function anAlert(changes: Record<string, unknown> = {}) {
  return aBody({ condition: 'above', threshold: 1500, ...changes })
}

export function times<Value>(count: number, make: (index: number) => Promise<Value>) {
  return Promise.all(Array.from({ length: count }, (_, index) => make(index)))
}

/** The number of answers with each status. */
export function tally(answers: readonly Pick<Answer, 'status'>[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
