/** The account pages: copies secrets, follows a test, and shows the current value of an alert. */
import type { Quote } from '../../../clients/javascript/index.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { valueText } from '../../../shared/market/spanish-text.ts'
import { find, findAll, put, readPage } from './dom.ts'

for (const button of findAll('[data-copy]')) enableCopy(button)
const now = document.getElementById('ahora')
if (now) followChoice(now)
await followTest()

/** Shows and enables a copy button. Without this script the button is hidden. */
function enableCopy(button: HTMLElement): void {
  const id = button.dataset['copy']!
  const source = find(`#${id}`)
  const message = find(`[data-copied="${id}"]`)
  button.hidden = false
  button.addEventListener('click', async () => {
    message.textContent = ''
    try {
      await navigator.clipboard.writeText(source.textContent)
      message.textContent = 'Copiado'
    } catch {
      getSelection()?.selectAllChildren(source)
      message.textContent = 'Seleccionado: copialo con Ctrl + C'
    }
  })
}

/** In the form of an alert, shows the current value of the chosen pair. */
function followChoice(shown: HTMLElement): void {
  const [pair, side] = [find<HTMLSelectElement>('#par'), find<HTMLSelectElement>('#lado')]
  const show = async () => {
    const chosen = [pair.value, side.value]
    const decimals = Number(pair.selectedOptions[0]!.dataset['decimals'])
    const response = await fetch(`/api/v2/${pair.value.toLowerCase()}`).catch(() => null)
    const quote: Quote | null = response?.ok ? await response.json() : null
    // The visitor chose something else meanwhile.
    if (chosen[0] !== pair.value || chosen[1] !== side.value) return

    const value = quote && numberToPrice(quote[chosen[1] as 'buy' | 'sell']!)
    const words = value !== null && valueText(value, { valueType: quote!.valueType, decimals })
    put(shown, words ? `Ahora vale ${words}.` : 'No pudimos leer el valor de ahora.')
  }
  for (const choice of [pair, side]) choice.addEventListener('change', show)
  void show()
}

/** While a test is open, reads the page again and shows its part about the test. */
async function followTest(): Promise<void> {
  for (const wait of [1000, 1000, 2000, 3000, 5000, 10_000, 15_000]) {
    const shown = document.getElementById('prueba')
    if (!shown?.dataset['open']) return

    await new Promise((done) => setTimeout(done, wait))
    const page = await readPage(location.href).catch(() => null)
    const fresh = page?.getElementById('prueba')
    if (!fresh) return
    if (fresh.textContent === shown.textContent) continue

    shown.replaceChildren(...fresh.childNodes)
    if (!fresh.dataset['open']) delete shown.dataset['open']
    const list = page?.getElementById('entregas')?.closest('section')
    if (list) find('#entregas').closest('section')?.replaceWith(list)
  }
}
