import type { Mode } from '../../../shared/board/board.ts'

/** A banner when the prices are not real. */
export function ModeBanner({ mode }: { mode: Mode }) {
  if (mode === 'live') return null
  return (
    <p class="mode-banner">
      <strong>{mode === 'demo' ? 'Modo demo.' : 'Reproducción.'}</strong>{' '}
      {mode === 'demo'
        ? 'Los precios son simulados y no sirven para operar.'
        : 'Los precios vienen de una grabación y no son los de ahora.'}
    </p>
  )
}
