import type { Instant } from '../../../shared/argentine-time.ts'
import { dailyValues, linePath } from './line.ts'
import type { QuoteView } from './quote-view.ts'
import { directionOf } from './words.ts'

const DAYS = 30
const BOX = { width: 100, height: 24 }

interface Props {
  closes: readonly (readonly [day: number, sell: number])[]
  quote: QuoteView | null
  now: Instant
}

/** The last 30 days as a small line, coloured by its direction; nothing before the second day. */
export function Spark({ closes, quote, now }: Props) {
  const values = dailyValues({ closes, quote }, DAYS, now)
  const path = linePath(values, BOX)
  if (!path) return <span class="spark-none">—</span>

  const first = values.find((value) => value !== null)!
  const last = values.findLast((value) => value !== null)!
  return (
    <svg
      class={`spark ${directionOf(last - first)}`}
      viewBox={`0 0 ${BOX.width} ${BOX.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  )
}
