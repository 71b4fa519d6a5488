/** The home page: updates quotes and gaps, and converts an amount while the user types. */
import { percentText } from '../../../shared/market/spanish-text.ts'
import { barsOf, blueSummary, conversionOf } from '../home/figures.ts'
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
    const blue = rowOf('usd/blue')
    const sell = blue && shownBy(blue).sell
    if (sell) put(find('[data-summary]'), blueSummary(sell, gapOf('usd/blue')))
    putBars()
    convert()
  },
})

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
}

function convert(): void {
  const fields = new FormData(form)
  const pair = find<HTMLSelectElement>('#par', form).selectedOptions[0]!
  const { buy, sell } = shownBy(rowOf(pair.value)!)
  const price = fields.get('lado') === 'venta' ? sell : buy
  const texts = conversionOf(String(fields.get('monto')), price, pair.dataset['unit']!)
  for (const [name, text] of Object.entries(texts)) put(find(`[data-result="${name}"]`), text)
}
