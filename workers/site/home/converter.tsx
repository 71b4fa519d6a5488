import { findPairByKey } from '../../../shared/market/catalog.ts'
import type { GroupView } from '../board/quote-view.ts'
import { CURRENCY_NAMES, pairPath, UNITS } from '../board/words.ts'
import { Card } from '../layout.tsx'
import { conversionOf } from './figures.ts'

export const MAX_AMOUNT_TEXT = 40

const SIDES = [
  ['venta', 'Venta'],
  ['compra', 'Compra'],
] as const

interface ConverterProps {
  query: Record<string, string>
  groups: readonly GroupView[]
}

/**
 * A GET form with its result on the same page. An invalid choice falls back to the first choice.
 * The script updates the result while the user types.
 */
export function Converter({ query, groups }: ConverterProps) {
  const convertible = groups.map(({ currency, pairs }) => ({
    currency,
    pairs: pairs.filter(({ pair }) => pair.valueType === 'money'),
  }))
  const views = convertible.flatMap(({ pairs }) => pairs)
  const named = (key: string) => views.find(({ pair }) => pair === findPairByKey(key))
  const { pair: chosen, quote } = named(query['par'] ?? '') ?? named('usd/blue')!
  const side = query['lado'] === 'compra' ? 'compra' : 'venta'
  const amount = (query['monto'] ?? '100').slice(0, MAX_AMOUNT_TEXT)
  const price = side === 'venta' ? quote?.sell : quote?.buy
  const result = conversionOf(amount, price, UNITS[chosen.currency])

  return (
    <Card id="convertir" title="Convertir a pesos">
      <form method="get" action="/#convertir" id="conversor">
        <div>
          <label for="monto">Monto</label>
          <AmountInput value={amount} aria-describedby="conversion" />
        </div>
        <div>
          <label for="par">Cotización</label>
          <select id="par" name="par">
            {convertible.map(({ currency, pairs }) => (
              <optgroup label={CURRENCY_NAMES[currency]}>
                {pairs.map(({ pair }) => (
                  <option
                    value={pairPath(pair).slice(1)}
                    data-unit={UNITS[pair.currency]}
                    selected={pair === chosen}
                  >
                    {pair.name}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </div>
        <fieldset class="segments">
          <legend class="visually-hidden">Precio</legend>
          {SIDES.map(([value, name]) => (
            <label>
              <input type="radio" name="lado" value={value} checked={value === side} />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
        <output id="conversion" class="conversion" for="monto par">
          <span data-result="sentence">{result.sentence}</span>
          <strong class="conversion-to" data-result="pesos">
            {result.pesos}
          </strong>
          <span data-result="inverse">{result.inverse}</span>
        </output>
        <button type="submit" class="primary wide">
          Convertir
        </button>
      </form>
    </Card>
  )
}

/** A field for an amount such as `1.500,50`. */
export function AmountInput(props: { value: string; [attribute: string]: string }) {
  return (
    <input
      id="monto"
      name="monto"
      type="text"
      inputmode="decimal"
      autocomplete="off"
      maxlength={MAX_AMOUNT_TEXT}
      {...props}
    />
  )
}
