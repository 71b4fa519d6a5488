import { isAlertEvent } from '../../../shared/alerts/alert-words.ts'
import { findPair, type Pair } from '../../../shared/market/catalog.ts'
import { formatNumber } from '../../../shared/market/value-words.ts'
import { alertEmbed } from './alert-embed.ts'
import { field, linkOf, valueFields } from './embed-parts.ts'

/** The hosts of Discord's incoming webhooks; no other host, no subdomain of them. */
const HOSTS = new Set([
  'discord.com',
  'discordapp.com',
  'canary.discord.com',
  'ptb.discord.com',
  'canary.discordapp.com',
  'ptb.discordapp.com',
])

/** `/slack` and `/github` suffixes expect other bodies and are not matched. */
const PATH = /^\/api(?:\/v\d{1,2})?\/webhooks\/\d{17,20}\/[A-Za-z0-9_-]+\/?$/

const COLORS = { up: 0x2e9e5b, down: 0xd64545, same: 0x6b7280 }

/** What the embed shows of a payload; beside it its bytes depend on our public origin alone. */
interface EmbeddedPayload {
  event: string
  currency: string
  origin: string
  buy: number
  sell: number
  prevSell: number
  changePct: number
  valueType: Pair['valueType']
  updatedAt: string
}

/** Whether a URL is exactly the host and path of a chat-platform incoming webhook. */
export function isChatWebhook(url: string): boolean {
  const { protocol, hostname, port, pathname } = new URL(url)
  return protocol === 'https:' && port === '' && HOSTS.has(hostname) && PATH.test(pathname)
}

/**
 * The rich embed of a payload: the same bytes for the same payload at every attempt. All texts are
 * our own or numbers, far below Discord's limits, and nobody is mentioned. The title leads to the
 * page of the pair.
 */
export function chatEmbed(payloadText: string, publicOrigin: string | null): string {
  const payload = JSON.parse(payloadText) as EmbeddedPayload
  if (isAlertEvent(payload)) return inMessage(alertEmbed(payload, publicOrigin))

  const pair = findPair(payload.currency, payload.origin)
  const name = pair?.name ?? `${payload.currency} ${payload.origin}`

  return inMessage({
    title: payload.event === 'manual.trigger' ? `Prueba: ${name}` : name,
    ...linkOf(payload, publicOrigin),
    color: COLORS[directionOf(payload)],
    fields: [...valueFields(payload), field('Variación', formatChange(payload.changePct))],
    timestamp: payload.updatedAt,
    footer: { text: `${payload.currency} ${payload.origin}` },
  })
}

function inMessage(embed: object): string {
  return JSON.stringify({ embeds: [embed], allowed_mentions: { parse: [] } })
}

function directionOf({ sell, prevSell }: EmbeddedPayload): keyof typeof COLORS {
  if (sell === prevSell) return 'same'
  return sell > prevSell ? 'up' : 'down'
}

function formatChange(percent: number): string {
  return `${percent > 0 ? '+' : ''}${formatNumber(percent, 2, 2)} %`
}
