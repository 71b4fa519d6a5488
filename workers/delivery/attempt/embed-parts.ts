/** What the embeds of values and of alerts have in common. */
import { findPair, type Pair } from '../../../shared/market/catalog.ts'
import { formatValue } from '../../../shared/market/value-words.ts'

interface Quoted {
  currency: string
  origin: string
  buy: number
  sell: number
  valueType: Pair['valueType']
}

export function field(name: string, value: string) {
  return { name, value, inline: true }
}

/** One Valor field for single-value pairs by catalogue, never because two numbers match. */
export function valueFields({ currency, origin, buy, sell, valueType }: Quoted) {
  const pair = findPair(currency, origin)
  const show = (value: number) => formatValue(value, valueType, pair?.decimals ?? 2)
  if (pair?.singleValue) return [field('Valor', show(sell))]

  return [field('Compra', show(buy)), field('Venta', show(sell))]
}

/** The link to the page of the pair, which is that of the title; none where we have no public origin. */
export function linkOf({ currency, origin }: Quoted, publicOrigin: string | null) {
  const path = `${currency}/${origin}`.toLowerCase()
  return publicOrigin === null ? {} : { url: `${publicOrigin}/${path}` }
}
