/** The home page: its quotes, their gaps, and a converter that computes while one types. */
import { parseAmount, percentText } from '../../../shared/market/spanish-text.ts'
import { barsOf, blueSummary, describeConversion } from '../home/figures.ts'
import { find, findAll, put } from './dom.ts'
import { followQuotes, gapOf, rowOf, shownBy } from './quotes.ts'

const form = find<HTMLFormElement>('#conversor')

form.addEventListener('input', convert)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  convert()
})
followQuotes(find('[data-now]'), {
  onChange() {
    putBars()
    convert()
  },
})

function convert(): void {
  const fields = new FormData(form)
  const pair = find<HTMLSelectElement>('#par', form)
  const amount = parseAmount(String(fields.get('monto')))
  const row = rowOf(pair.value)
  const price = row && shownBy(row)[fields.get('lado') === 'venta' ? 'sell' : 'buy']
  if (amount === null) return showResult('Escribí un monto como 1.500,50.', '—', '')
  if (!price) return showResult('Esa cotización todavía no tiene datos.', '—', '')

  const unit = pair.selectedOptions[0]!.dataset['unit']!
  const { sentence, pesos, inverse } = describeConversion(amount, price, unit)
  showResult(`${sentence} son`, pesos, inverse)
}

function showResult(sentence: string, pesos: string, inverse: string): void {
  for (const [name, text] of Object.entries({ sentence, pesos, inverse }))
    put(find(`[data-result="${name}"]`), text)
}

/** The bars of the gaps, and the sentence about the blue. */
function putBars(): void {
  const bars = findAll('[data-gap]')
  const gaps = bars.map(({ dataset }) => gapOf(dataset['gap']!))
  barsOf(gaps).forEach(({ x, width }, index) => {
    const [bar, gap] = [bars[index]!, gaps[index]!]
    const rect = find('rect', bar)
    rect.setAttribute('x', String(x))
    rect.setAttribute('width', String(width))
    if (gap !== null) put(find('.gap-value', bar), percentText(gap))
  })
  const blue = rowOf('usd/blue')
  const sell = blue && shownBy(blue).sell
  if (sell) put(find('[data-summary]'), blueSummary(sell, gapOf('usd/blue')))
}
