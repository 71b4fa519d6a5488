import {
  type AlertEvent,
  conditionWords,
  isAlertEvent,
  signedPercentWords,
  valueWords,
  watchedWords,
} from '../../../shared/alerts/alert-words.ts'
import { findPair, type Pair } from '../../../shared/market/catalog.ts'
import { formatNumber, formatValue } from '../../../shared/market/value-words.ts'

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

const ALERT_TITLES = {
  'alert.triggered': 'Alerta',
  'alert.test': 'Prueba de alerta',
} as const satisfies Record<AlertEvent['event'], string>

const ALERT_COLORS = {
  'alert.triggered': 0xd97706,
  'alert.test': 0x6b7280,
} as const satisfies Record<AlertEvent['event'], number>

/** The embed of an alert: what it watches, the condition, and the values that met it. */
function alertEmbed(event: AlertEvent, publicOrigin: string | null) {
  const { percent, against, base } = event

  return {
    title: `${ALERT_TITLES[event.event]}: ${watchedWords(event)}`,
    description: `Avisa cuando ${conditionWords(event)}.`,
    ...linkOf(event, publicOrigin),
    color: ALERT_COLORS[event.event],
    fields: [
      ...valueFields(event),
      ...(against && base !== null
        ? [field(watchedWords(against), valueWords(against, base))]
        : []),
      ...(percent === null
        ? []
        : [field(against ? 'Diferencia' : 'En el día', signedPercentWords(percent))]),
    ],
    timestamp: event.updatedAt,
    footer: { text: `${event.currency} ${event.origin}` },
  }
}

interface Quoted {
  currency: string
  origin: string
  buy: number
  sell: number
  valueType: Pair['valueType']
}

function field(name: string, value: string) {
  return { name, value, inline: true }
}

/** One Valor field for single-value pairs by catalogue, never because two numbers match. */
function valueFields({ currency, origin, buy, sell, valueType }: Quoted) {
  const pair = findPair(currency, origin)
  const show = (value: number) => formatValue(value, valueType, pair?.decimals ?? 2)
  if (pair?.singleValue) return [field('Valor', show(sell))]

  return [field('Compra', show(buy)), field('Venta', show(sell))]
}

/** The link to the page of the pair, which is that of the title; none where we have no public origin. */
function linkOf({ currency, origin }: Quoted, publicOrigin: string | null) {
  const path = `${currency}/${origin}`.toLowerCase()
  return publicOrigin === null ? {} : { url: `${publicOrigin}/${path}` }
}
