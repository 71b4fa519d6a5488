import type { Instant } from '../../../shared/argentine-time.ts'
import { findPair, type Pair } from '../../../shared/market/catalog.ts'
import { checkDestination } from '../../../shared/webhooks/destination/destination.ts'
import { ok, refuse, type Result } from '../../../shared/result.ts'
import type { V1Webhook } from './file.ts'

export interface ReadWebhook {
  /** Its id in v1. */
  reference: string
  pair: Pair
  /** Normalised. */
  url: string
  /** Null when the file gives none that can be read. */
  createdAt: Instant | null
}

/** What a v1 file says of a webhook, or why it is left out: never its URL, which may be a secret. */
export function readWebhook(webhook: V1Webhook): Result<ReadWebhook, string> {
  const { id, url, type, method, created_at: createdAt } = webhook

  if ((typeof id !== 'string' && typeof id !== 'number') || id === '') return refuse('no id')
  if (typeof method !== 'string' || method.toUpperCase() !== 'POST')
    return refuse('its method is not POST')

  const [currency = '', origin = ''] = String(type).split(/[_/]/)
  const pair = findPair(currency, origin)
  if (!pair) return refuse('its type is no pair of the catalogue')

  const destination = typeof url === 'string' ? checkDestination(url, []) : null
  if (!destination) return refuse('no url')
  if (!destination.ok) return refuse(`its url is refused (${destination.refusal.rule})`)

  return ok({
    reference: String(id),
    pair,
    url: destination.value.url,
    createdAt: typeof createdAt === 'string' ? Date.parse(createdAt) || null : null,
  })
}
