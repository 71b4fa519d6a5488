import type { SubscriptionKind } from '../../shared/webhooks/webhook.ts'
import { openSite } from './site.ts'
import { OPEN } from './webhook-client.ts'

export const URL_OF_RECEIVER = 'https://receptor.example/hooks/una-ruta?clave=una-clave'

const ROOTS = { webhook: '/cuenta/webhooks', alert: '/cuenta/alertas' }

/** A valid form of a creation. The alert goes by e-mail. */
export const FIELDS_OF: Record<SubscriptionKind, Record<string, string>> = {
  webhook: { par: 'USD/BLUE', url: URL_OF_RECEIVER },
  alert: {
    par: 'USD/BLUE',
    lado: 'sell',
    condicion: 'above',
    umbral: '1500',
    contra: 'USD/OFICIAL',
    contra_lado: 'sell',
    histeresis: '0',
    canal: 'email',
    url: '',
  },
}

export interface Page {
  status: number
  headers: Headers
  location: string | null
  text: string
}

/** A signed-in browser on the pages of a kind, with a queue that keeps what it is sent. */
export async function openPages(
  kind: SubscriptionKind,
  options: { email?: string; env?: Record<string, unknown> } = {},
) {
  const root = ROOTS[kind]
  const sent: unknown[] = []
  const DELIVERIES = {
    send: async (body: unknown) => void sent.push(body),
    sendBatch: async (batch: { body: unknown }[]) =>
      void sent.push(...batch.map(({ body }) => body)),
  }
  const variables = { ...OPEN, DELIVERIES, ...options.env }
  const site = openSite({ env: variables as never })
  const cookie = await site.signIn(options.email)
  const token = await site.formToken(cookie)

  const get = async (path = '') =>
    read(await site.fetch(`${root}${path}`, { headers: { Cookie: cookie } }))
  const post = async (path: string, fields: Record<string, string> = {}) =>
    read(await site.post(`${root}${path}`, { token, ...fields }, { Cookie: cookie }))
  const create = (fields: Record<string, string> = {}) =>
    post('', { operacion: crypto.randomUUID(), ...FIELDS_OF[kind], ...fields })

  return {
    site,
    root,
    cookie,
    token,
    sent,
    get,
    post,
    create,
    /** Creates one, and gives its id. */
    async made(fields: Record<string, string> = {}): Promise<string> {
      const { status, location, text } = await create(fields)
      if (status !== 200 && status !== 303) throw new Error(`${status}: ${text}`)
      return new RegExp(`${root}/([0-9a-f-]{36})`).exec(location ?? text)![1]!
    },
  }
}

async function read(response: Response): Promise<Page> {
  return {
    status: response.status,
    headers: response.headers,
    location: response.headers.get('Location'),
    text: await response.text(),
  }
}
