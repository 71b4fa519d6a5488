import type { Delivery } from '../../db/deliveries.ts'
import { errorWords, isOpen, statusWords } from './delivery-words.ts'

/**
 * What became of a test. While it is open, test-result.js reloads this part; without JavaScript
 * there is a link.
 */
export function TestResult({ test, path }: { test: Delivery; path: string }) {
  const open = isOpen(test)
  const tone = test.status === 'delivered' ? ' good' : open ? '' : ' bad'

  return (
    <div id="prueba" class="standing" role="status" data-open={open ? 'true' : undefined}>
      <p class={`notice${tone}`}>
        <strong>Prueba: {statusWords(test)}.</strong> {explain(test)}{' '}
        {open && <a href={`${path}?prueba=${test.deliveryId}`}>Ver cómo sigue</a>}
      </p>
    </div>
  )
}

function explain(test: Delivery): string {
  const { status, code } = test
  if (status === 'delivered') return `El receptor respondió HTTP ${code}.`

  const error = errorWords(test)
  if (!error) return isOpen(test) ? 'Sale en unos segundos.' : ''
  return code === null ? `Motivo: ${error}.` : `Motivo: ${error} (HTTP ${code}).`
}
