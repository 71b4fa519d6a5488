import {
  type AlertEvent,
  conditionText,
  isAlertEvent,
  alertValueText,
  sideText,
} from '../../../shared/alerts/event.ts'
import { findPair } from '../../../shared/market/catalog.ts'
import { embedPercentText, embedValueText } from '../../../shared/market/spanish-text.ts'
import type { ChangeEvent } from '../../../shared/webhooks/payload.ts'

/** The hosts of Discord's incoming webhooks. No other host and no other subdomain matches. */
const HOST = /^(?:(?:canary|ptb)\.)?discord(?:app)?\.com$/

/** Paths with a suffix `/slack` or `/github` do not match, because they expect other bodies. */
const PATH = /^\/api(?:\/v\d{1,2})?\/webhooks\/\d{17,20}\/[A-Za-z0-9_-]+\/?$/

/** Whether a URL has exactly the host and the path of a Discord incoming webhook. */
export function isChatWebhook(url: string): boolean {
  const { protocol, hostname, port, pathname } = new URL(url)
  return protocol === 'https:' && port === '' && HOST.test(hostname) && PATH.test(pathname)
}

/**
 * The body with a rich embed for a payload: the same at every attempt, far below Discord's limits,
 * and without mentions. The title links to the pair's page.
 */
export function chatEmbed(payload: string, publicOrigin: string | null): string {
  const event = JSON.parse(payload) as ChangeEvent | AlertEvent
  const { currency, origin, updatedAt } = event
  const { fields, ...words } = isAlertEvent(event) ? ofAlert(event) : ofChange(event)
  const path = `${currency}/${origin}`.toLowerCase()
  const embed = {
    ...words,
    url: publicOrigin === null ? undefined : `${publicOrigin}/${path}`,
    fields: [...valueFields(event), ...fields].map((field) => ({ ...field, inline: true })),
    timestamp: updatedAt,
    footer: { text: `${currency} ${origin}` },
  }
  return JSON.stringify({ embeds: [embed], allowed_mentions: { parse: [] } })
}

function ofChange({ event, currency, origin, sell, prevSell, changePct }: ChangeEvent) {
  const name = findPair(currency, origin)?.name ?? `${currency} ${origin}`
  return {
    title: event === 'manual.trigger' ? `Prueba: ${name}` : name,
    color: sell === prevSell ? 0x6b7280 : sell > prevSell ? 0x2e9e5b : 0xd64545,
    fields: [{ name: 'Variación', value: embedPercentText(changePct, 2) }],
  }
}

/** The alert's rule, and the values that met the rule. */
function ofAlert(alert: AlertEvent) {
  const { event, percent, against, base } = alert
  const isTest = event === 'alert.test'
  return {
    title: `${isTest ? 'Prueba de alerta' : 'Alerta'}: ${sideText(alert)}`,
    description: `Avisa cuando ${conditionText(alert)}.`,
    color: isTest ? 0x6b7280 : 0xd97706,
    fields: [
      ...(against && base !== null
        ? [{ name: sideText(against), value: alertValueText(against, base) }]
        : []),
      ...(percent === null
        ? []
        : [{ name: against ? 'Diferencia' : 'En el día', value: embedPercentText(percent) }]),
    ],
  }
}

/** Only the field `Valor` if the pair has one value or buy equals sell. */
function valueFields({ currency, origin, buy, sell, valueType }: ChangeEvent | AlertEvent) {
  const pair = findPair(currency, origin)
  const show = (value: number) =>
    embedValueText(value, { valueType, decimals: pair?.decimals ?? 2 })
  if (pair?.singleValue || buy === sell) return [{ name: 'Valor', value: show(sell) }]

  return [
    { name: 'Compra', value: show(buy) },
    { name: 'Venta', value: show(sell) },
  ]
}
