/* Says in the form of an alert what the chosen pair is at now. */
import { valueText } from './quote-text.js'

const shown = document.getElementById('ahora')
const { par, lado } = shown.closest('form').elements

for (const choice of [par, lado]) choice.addEventListener('change', say)
say()

async function say() {
  const [pair, side] = [par.value, lado.value]
  const decimals = Number(par.selectedOptions[0].dataset.decimals)
  const response = await fetch(`/api/v2/${pair.toLowerCase()}`).catch(() => null)
  const quote = response?.ok ? await response.json() : null
  // What was chosen meanwhile has its own turn.
  if (par.value !== pair || lado.value !== side) return

  shown.textContent = quote
    ? `Ahora vale ${valueText(Math.round(quote[side] * 10_000), { ...quote, decimals })}.`
    : 'No pudimos leer el valor de ahora.'
}
