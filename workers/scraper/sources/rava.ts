import type { Big } from 'big.js'
import { type Day, type Instant, isDay } from '../../../shared/argentine-time.ts'
import { RISK_HOURS } from '../../../shared/market/market-hours.ts'
import { get, PAGE_HEADERS, refuseFuture, refuseOlderThanAWeek } from './document.ts'
import { attributeOf, elementsByTag, readHtml, textOf, type Tree } from './html.ts'
import { decimalText, requirePrice } from './number-text.ts'
import { formatError, type Source } from './source.ts'

const MONTHS =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(
    ' ',
  )

/**
 * The country risk stands in the page's description ("Riesgo País hoy: 607 (actualizado al 30 de
 * septiembre de 2026)") and in its JSON-LD. The layout changes often. One of the two is enough, but
 * two different numbers are refused.
 */
export const rava: Source = {
  ...get('rava-riesgo', 15, RISK_HOURS, 'https://www.rava.com/perfil/RIESGO%20PAIS', PAGE_HEADERS),
  parse(body, now, replayed) {
    const page = readHtml(body)
    const description = descriptionOf(page)
    checkDate(description, now, replayed)

    const [described, linked] = [describedPoints(description), linkedPoints(page)]
    if (described && linked && !described.eq(linked)) throw formatError('says two numbers')
    if (!described && !linked) throw formatError('says no number')

    const points = requirePrice(described ?? linked)
    return [{ kind: 'quote', pair: 'ARG/RIESGO', buy: points, sell: points }]
  },
}

function descriptionOf(page: Tree): string {
  const meta = elementsByTag(page, 'meta').find((tag) => attributeOf(tag, 'name') === 'description')
  return meta ? attributeOf(meta, 'content') : ''
}

function describedPoints(description: string): Big | null {
  const text = /riesgo pa[ií]s hoy:?\s*([\d.,]*\d)/i.exec(description)?.[1]
  return text ? decimalText(text, 'comma') : null
}

function linkedPoints(page: Tree): Big | null {
  const scripts = elementsByTag(page, 'script').filter(
    (script) => attributeOf(script, 'type') === 'application/ld+json',
  )
  for (const script of scripts) {
    const price = priceIn(textOf(script))
    if (price !== undefined) return decimalText(String(price), 'point')
  }
  return null
}

function priceIn(json: string): number | string | undefined {
  try {
    const { price } = JSON.parse(json) as { price?: unknown }
    return typeof price === 'number' || typeof price === 'string' ? price : undefined
  } catch {
    return undefined
  }
}

function checkDate(description: string, now: Instant, replayed?: boolean): void {
  const [, day, month, year] = /(\d{1,2}) de ([a-z]+) de (\d{4})/i.exec(description) ?? []
  const number = MONTHS.indexOf(month?.toLowerCase() ?? '') + 1
  const written: Day = `${year}-${String(number).padStart(2, '0')}-${day?.padStart(2, '0')}`
  if (!isDay(written)) return

  refuseFuture(written, now)
  refuseOlderThanAWeek(written, now, replayed)
}
