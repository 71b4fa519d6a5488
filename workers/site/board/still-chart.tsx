import type { Child } from 'hono/jsx'
import { type DailyValues, linePath } from './line.ts'

const BOX = { width: 800, height: 260 }

/** What a chart shows without its script. */
export function StillChart({ values, children }: { values: DailyValues; children: Child }) {
  const path = linePath(values, BOX)
  return (
    <>
      {path && (
        <svg
          class="chart-still"
          viewBox={`0 0 ${BOX.width} ${BOX.height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path d={path} />
        </svg>
      )}
      <p class="chart-note">{children}</p>
    </>
  )
}
