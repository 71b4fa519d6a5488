import { formatArgentine } from '../../../shared/argentine-time.ts'
import { priceToNumber } from '../../../shared/market/price.ts'
import type { PairView } from '../board/quote-view.ts'

/** What search engines read of a pair, as JSON that is safe inside a script element. */
export function jsonLd({ pair, quote }: PairView, url: string): string {
  const price = quote ? priceToNumber(quote.sell) : undefined
  const about =
    pair.currency === 'ARG'
      ? { '@type': 'Observation', value: price, unitText: pair.valueType }
      : {
          '@type': 'ExchangeRateSpecification',
          currency: pair.currency,
          currentExchangeRate: { '@type': 'UnitPriceSpecification', price, priceCurrency: 'ARS' },
        }

  return JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'WebPage',
    name: `${pair.name} hoy`,
    url,
    inLanguage: 'es-AR',
    dateModified: quote ? formatArgentine(quote.updatedAt) : undefined,
    mainEntity: { name: pair.name, ...about },
  }).replaceAll('<', String.raw`\u003c`)
}
