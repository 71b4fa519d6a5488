import type { WireAnswer } from '../wire/read-answer.ts'
import { headerOf } from '../request.ts'
import type { FuzzAccount } from './account.ts'

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const LINKED = new RegExp(`/cuenta/webhooks/(${UUID})"`, 'g')
const LISTED_KEY = new RegExp(`/cuenta/claves/([^/"]+)/rotar`, 'g')

/** Takes from an answer what later requests about the same account will name. */
export function learn(account: FuzzAccount, target: string, answer: WireAnswer): void {
  const { status, headers, body } = answer
  if (target.startsWith('/cuenta') && headerOf(headers, 'location') === '/cuenta/entrar')
    account.ended = true
  if (target.startsWith('/api/account') && status === 401) account.ended = true
  if (headerOf(headers, 'location')?.startsWith('/cuenta/entrar?aviso=')) account.ended = true
  if (status >= 300) return

  const type = headerOf(headers, 'content-type') ?? ''
  if (type.startsWith('application/json')) learnJson(account, target, body.toString())
  else if (type.startsWith('text/html')) learnPage(account, target, body.toString())
}

/** The parts of API answers that matter here, whichever answer it is. */
interface Known {
  webhook?: { id: string; version: number; operationId: string }
  webhooks?: { id: string; version: number }[]
  deliveries?: { deliveryId: string }[]
  nextCursor?: string | null
  deliveryId?: string
  deleted?: boolean
  keys?: { id: string; prefix: string }[]
  key?: { id: string; prefix: string }
}

function learnJson(account: FuzzAccount, target: string, text: string): void {
  if (!/^\/api\/(v2\/webhooks|account)/.test(target)) return
  const known = parse(text)

  if (known.webhook) {
    account.webhooks.set(known.webhook.id, known.webhook.version)
    account.operationId = known.webhook.operationId
  }
  if (known.webhooks)
    account.webhooks = new Map(known.webhooks.map(({ id, version }) => [id, version]))
  if (known.deleted)
    for (const id of target.match(new RegExp(UUID, 'g')) ?? []) account.webhooks.delete(id)
  if (known.deleted && target === '/api/account') account.ended = true
  account.deliveryId = known.deliveryId ?? known.deliveries?.[0]?.deliveryId ?? account.deliveryId
  account.cursor = known.nextCursor ?? account.cursor
  if (known.keys) account.shown = new Map(known.keys.map(({ id, prefix }) => [id, prefix]))
  if (known.key) account.shown.set(known.key.id, known.key.prefix)
}

function learnPage(account: FuzzAccount, target: string, html: string): void {
  if (!target.startsWith('/cuenta')) return

  for (const [, id] of html.matchAll(LINKED))
    if (!account.webhooks.has(id!)) account.webhooks.set(id!, 1)
  for (const [, id] of html.matchAll(LISTED_KEY))
    if (!account.shown.has(id!)) account.shown.set(id!, '')
  const version = /name="version" value="(\d+)"/.exec(html)?.[1]
  const id = new RegExp(UUID).exec(target)?.[0]
  if (version && id) account.webhooks.set(id, Number(version))
  const prefix = /name="prefijo" value="([^"]+)"/.exec(html)?.[1]
  const key = /\/cuenta\/claves\/([^/]+)\//.exec(target)?.[1]
  if (prefix && key) account.shown.set(key, prefix)
}

function parse(text: string): Known {
  try {
    return JSON.parse(text) as Known
  } catch {
    return {}
  }
}
