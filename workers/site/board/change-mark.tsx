import type { Change } from '../../../shared/market/change.ts'
import { ARROWS, DIRECTION_WORDS, directionOf, percentText } from './words.ts'

/** The change since yesterday's close: an arrow, its meaning for screen readers, a percent. */
export function ChangeMark({ change }: { change: Change | null }) {
  if (!change) return <span class="muted">—</span>

  const direction = directionOf(change.amount)
  return (
    <span class={`change ${direction}`}>
      <span aria-hidden="true">{ARROWS[direction]} </span>
      <span class="visually-hidden">{DIRECTION_WORDS[direction]} </span>
      {percentText(change.percent)}
    </span>
  )
}
