import type { GroupView } from '../board/quote-view.ts'
import { pairPath, percentText } from '../board/words.ts'
import { barsOf } from '../public/static/quote-text.js'

/** How far each dollar is from the official one, as bars from a common zero. */
export function GapBars({ groups }: { groups: readonly GroupView[] }) {
  const rows = groups
    .flatMap(({ pairs }) => pairs)
    .flatMap(({ pair, quote }) => (quote?.gap == null ? [] : [{ pair, gap: quote.gap }]))
  if (rows.length === 0) {
    return <p class="muted">Se dibuja cuando cotizan el oficial y otro dólar.</p>
  }
  const bars = barsOf(rows.map(({ gap }) => gap))

  return (
    <ul class="gap-bars">
      {rows.map(({ pair, gap }, index) => (
        <li data-gap={pairPath(pair).slice(1)}>
          <span>{pair.name.replace('Dólar ', '')}</span>
          <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <rect x={bars[index]!.x} width={bars[index]!.width} height="10" rx="0.8" />
          </svg>
          <span class="gap-value">{percentText(gap)}</span>
        </li>
      ))}
    </ul>
  )
}
