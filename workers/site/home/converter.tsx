import { findPairByKey, type Pair } from '../../../shared/market/catalog.ts'
import type { GroupView } from '../board/quote-view.ts'
import { CURRENCY_NAMES, pairPath, UNITS } from '../board/words.ts'
import { Card } from '../layout.tsx'
import { parseAmount } from '../../../shared/market/spanish-text.ts'
import { describeConversion } from './figures.ts'

export interface ConversionForm {
  /** As it was typed. */
  amount: string
  pair: Pair
  side: 'venta' | 'compra'
}

type Conversion =
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
function isConvertible(pair: Pair): boolean {
  return pair.valueType === 'money'
}

function convert(form: ConversionForm, groups: readonly GroupView[]): Conversion {
  const amount = parseAmount(form.amount)
  if (amount === null) return { ok: false, problem: 'Escribí un monto como 1.500,50' }

  const views = groups.flatMap(({ pairs }) => pairs)
  const quote = views.find(({ pair }) => pair === form.pair)?.quote
  const price = form.side === 'venta' ? quote?.sell : quote?.buy
  if (!price) return { ok: false, problem: 'Esa cotización todavía no tiene datos' }

  return { ok: true, ...describeConversion(amount, price, UNITS[form.pair.currency]) }
}

/** A GET form with its result on the same page. The script updates the result while typing. */
export function Converter({ form, groups }: { form: ConversionForm; groups: GroupView[] }) {
  return (
    <Card id="convertir" title="Convertir a pesos">
      <form method="get" action="/#convertir" id="conversor">
        <div>
          <label for="monto">Monto</label>
          <input
            id="monto"
            name="monto"
            type="text"
            inputmode="decimal"
            autocomplete="off"
            value={form.amount}
            maxlength={40}
            aria-describedby="conversion"
          />
        </div>
        <div>
          <label for="par">Cotización</label>
          <PairSelect chosen={form.pair} groups={groups} />
        </div>
        <SideChoice chosen={form.side} />
        <Result result={convert(form, groups)} />
        <button type="submit" class="primary wide">
          Convertir
        </button>
      </form>
    </Card>
  )
}

function PairSelect({ chosen, groups }: { chosen: ConversionForm['pair']; groups: GroupView[] }) {
  return (
    <select id="par" name="par">
      {groups.map(({ currency, pairs }) => (
        <optgroup label={CURRENCY_NAMES[currency]}>
          {pairs
            .filter(({ pair }) => isConvertible(pair))
            .map(({ pair }) => (
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
  )
}

function SideChoice({ chosen }: { chosen: ConversionForm['side'] }) {
  return (
    <fieldset class="segments">
      <legend class="visually-hidden">Precio</legend>
      <label>
        <input type="radio" name="lado" value="venta" checked={chosen === 'venta'} />
        <span>Venta</span>
      </label>
      <label>
        <input type="radio" name="lado" value="compra" checked={chosen === 'compra'} />
        <span>Compra</span>
      </label>
    </fieldset>
  )
}

function Result({ result }: { result: Conversion }) {
  return (
    <output id="conversion" class="conversion" for="monto par">
      <span data-result="sentence">
        {result.ok ? `${result.sentence} son` : `${result.problem}.`}
      </span>
      <strong class="conversion-to" data-result="pesos">
        {result.ok ? result.pesos : '—'}
      </strong>
      <span data-result="inverse">{result.ok ? result.inverse : ''}</span>
    </output>
  )
}
