import { isAlertEvent } from '../../../shared/alerts/alert-words.ts'
import { findPair, type Pair } from '../../../shared/market/catalog.ts'
import { formatNumber, formatValue } from '../../../shared/market/value-words.ts'
import { alertEmbed } from './alert-embed.ts'

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

/** What the embed shows of a payload; its bytes depend on nothing else. */
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
 * our own or numbers, far below Discord's limits, and nobody is mentioned.
 */
export function chatEmbed(payloadText: string): string {
  const payload = JSON.parse(payloadText) as EmbeddedPayload
  if (isAlertEvent(payload)) return inMessage(alertEmbed(payload))

  const pair = findPair(payload.currency, payload.origin)
  const name = pair?.name ?? `${payload.currency} ${payload.origin}`

  return inMessage({
    title: payload.event === 'manual.trigger' ? `Prueba: ${name}` : name,
    color: COLORS[directionOf(payload)],
    fields: [
      ...valueFields(payload, pair),
      { name: 'Variación', value: formatChange(payload.changePct), inline: true },
    ],
    timestamp: payload.updatedAt,
    footer: { text: `${payload.currency} ${payload.origin}` },
  })
}

function inMessage(embed: object): string {
  return JSON.stringify({ embeds: [embed], allowed_mentions: { parse: [] } })
}

/** One Valor field for single-value pairs by catalogue, never because two numbers match. */
function valueFields(payload: EmbeddedPayload, pair: Pair | undefined) {
  const show = (value: number) => formatValue(value, payload.valueType, pair?.decimals ?? 2)
  if (pair?.singleValue) return [{ name: 'Valor', value: show(payload.sell), inline: true }]

  return [
    { name: 'Compra', value: show(payload.buy), inline: true },
    { name: 'Venta', value: show(payload.sell), inline: true },
  ]
}

function directionOf({ sell, prevSell }: EmbeddedPayload): keyof typeof COLORS {
  if (sell === prevSell) return 'same'
  return sell > prevSell ? 'up' : 'down'
}

function formatChange(percent: number): string {
  return `${percent > 0 ? '+' : ''}${formatNumber(percent, 2, 2)} %`
}
