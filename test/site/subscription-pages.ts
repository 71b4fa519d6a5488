import type { SubscriptionKind } from '../../shared/webhooks/webhook.ts'
import type { SiteEnv } from '../../workers/site/context.ts'
import type { Bindings } from '../support/env.ts'
import { openSite } from '../support/site.ts'
import { OPEN, queueInto } from '../support/account-client.ts'

const url = 'https://receptor.example/hooks/una-ruta?clave=una-clave'

/** A valid form of a creation. */
const FIELDS_OF: Record<SubscriptionKind, Record<string, string>> = {
  webhook: { par: 'USD/BLUE', url },
  alert: {
    par: 'USD/BLUE',
    lado: 'sell',
    condicion: 'above',
    umbral: '1500',
    contra: 'USD/OFICIAL',
    contra_lado: 'sell',
    histeresis: '0',
    canal: 'webhook',
    url,
  },
}

/** A signed-in browser on the pages of a kind, with a queue that keeps its messages. */
export async function openPages(kind: SubscriptionKind, env: Bindings<SiteEnv> = {}) {
  const root = kind === 'webhook' ? '/cuenta/webhooks' : '/cuenta/alertas'
  const sent: unknown[] = []
  const DELIVERIES = queueInto(sent)
  const site = openSite({ env: { ...OPEN, DELIVERIES, ...env } })
  const cookie = await site.signIn()
  const token = await site.formToken(cookie)
  const fields = FIELDS_OF[kind]

  const get = async (path = '') =>
    read(await site.fetch(`${root}${path}`, { headers: { Cookie: cookie } }))
  const post = async (path: string, fields: Record<string, string> = {}) =>
    read(await site.post(`${root}${path}`, { token, ...fields }, { Cookie: cookie }))
  const create = (changes: Record<string, string> = {}) =>
    post('', { operacion: crypto.randomUUID(), ...fields, ...changes })

  return {
    root,
    sent,
    fields,
    get,
    post,
    create,
    /** Creates a subscription and returns its id. */
    async made(changes: Record<string, string> = {}): Promise<string> {
      const { location, text } = await create(changes)
      return new RegExp(`${root}/([0-9a-f-]{36})`).exec(location ?? text)![1]!
    },
    /** The page at the address that a form redirected to. */
    follow: async ({ location }: { location: string | null }) =>
      (await get(location!.slice(root.length).replace('#entregas', ''))).text,
  }
}

async function read(response: Response) {
  const { status, headers } = response
  return { status, headers, location: headers.get('Location'), text: await response.text() }
}
