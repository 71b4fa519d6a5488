/* Shows in the form of an alert the present value of the chosen pair. */
import { valueText } from './quote-text.js'

const shown = document.getElementById('ahora')
const { par, lado } = shown.closest('form').elements

for (const choice of [par, lado]) choice.addEventListener('change', show)
show()

async function show() {
  const [pair, side] = [par.value, lado.value]
  const decimals = Number(par.selectedOptions[0].dataset.decimals)
  const response = await fetch(`/api/v2/${pair.toLowerCase()}`).catch(() => null)
  const quote = response?.ok ? await response.json() : null
  // Something else was chosen meanwhile.
  if (par.value !== pair || lado.value !== side) return

  shown.textContent = quote
    ? `Ahora vale ${valueText(Math.round(quote[side] * 10_000), { ...quote, decimals })}.`
    : 'No pudimos leer el valor de ahora.'
}
