import { findPairByKey, type Pair } from '../../../shared/market/catalog.ts'
import { describeConversion, parseAmount } from '../public/static/convert.js'
import type { GroupView, PairView } from '../board/quote-view.ts'
import { UNITS } from '../board/words.ts'

export interface ConversionForm {
  /** As it was typed. */
  amount: string
  pair: Pair
  side: 'venta' | 'compra'
}

export type Conversion =
  | { ok: true; pesos: string; sentence: string; inverse: string }
  | { ok: false; problem: string }

/** The values of the form's fields; an invalid choice falls back to the first. */
export function readForm(query: Record<string, string>): ConversionForm {
  const pair = findPairByKey(query['par'] ?? '')
  return {
    amount: (query['monto'] ?? '100').slice(0, 40),
    pair: pair && isConvertible(pair) ? pair : findPairByKey('usd/blue')!,
    side: query['lado'] === 'compra' ? 'compra' : 'venta',
  }
}

/** The pairs with a price in pesos: not riesgo país and CER. */
export function isConvertible(pair: Pair): boolean {
  return pair.valueType === 'money'
}

export function convert(form: ConversionForm, groups: readonly GroupView[]): Conversion {
  const amount = parseAmount(form.amount)
  if (amount === null) return { ok: false, problem: 'Escribí un monto como 1.500,50' }

  const quote = groups.flatMap(({ pairs }) => pairs).find(isOf(form.pair))?.quote
  const price = form.side === 'venta' ? quote?.sell : quote?.buy
  if (!price) return { ok: false, problem: 'Esa cotización todavía no tiene datos' }

  return { ok: true, ...describeConversion(amount, price, UNITS[form.pair.currency]) }
}

function isOf(pair: Pair) {
  return (view: PairView) => view.pair === pair
}
