import type { Instant } from '../../../shared/argentine-time.ts'
import type { PairKey } from '../../../shared/market/catalog.ts'
import { CROSS_HOURS } from '../../../shared/market/market-hours.ts'
import { get, listOf, PAGE_HEADERS, checkDay } from './document.ts'
import { requireElement, elementsByTag, plain, readHtml, textOf } from './html.ts'
import { parsePrice } from './number-text.ts'
import type { Reading, Source } from './source.ts'

/** Patterns of the rows' names, without accents. */
const NAMES: readonly (readonly [RegExp, PairKey])[] = [
  [/^euros?$/, 'EUR/OFICIAL'],
  [/^real(es)? bras/, 'BRL/OFICIAL'],
  [/^pesos? chilenos?$/, 'CLP/OFICIAL'],
  [/^pesos? uruguayos?$/, 'UYU/OFICIAL'],
]

/** Currencies of InvertirOnline, which dolarapi repeats. Decimal comma; Argentine times. */
export const iol: Source = {
  ...get(
    'iol-monedas',
    15,
    CROSS_HOURS,
    'https://iol.invertironline.com/mercado/cotizaciones/argentina/monedas',
    PAGE_HEADERS,
  ),
  parse(body, now) {
    const rows = elementsByTag(requireElement(readHtml(body), 'cotizaciones'), 'tr')
    const quotes = rows.flatMap((row) => quoteOf(elementsByTag(row, 'td').map(textOf), now))
    return listOf(
      NAMES.map(([, pair]) => pair),
      quotes,
    )
  },
}

function quoteOf(
  [name = '', buy = '', sell = '', stamp = '']: string[],
  now: Instant,
): Extract<Reading, { kind: 'quote' }>[] {
  const pair = NAMES.find(([pattern]) => pattern.test(plain(name)))?.[1]
  if (!pair) return []

  checkDay(stamp, now)
  return [
    { kind: 'quote', pair, buy: parsePrice(buy, 'comma'), sell: parsePrice(sell, 'comma'), stamp },
  ]
}
