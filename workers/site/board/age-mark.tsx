import type { Instant } from '../../../shared/argentine-time.ts'
import { formatArgentine } from '../../../shared/argentine-time.ts'
import type { QuoteView } from './quote-view.ts'
import { ageText } from './words.ts'

/** When a source last confirmed the value, and a mark when that is too long ago. */
export function AgeMark({ quote, now }: { quote: QuoteView; now: Instant }) {
  const { lastScrapedAt, fresh } = quote
  return (
    <>
      <time datetime={formatArgentine(lastScrapedAt)}>{ageText(lastScrapedAt, now)}</time>
      {!fresh && <span class="tag">Demorado</span>}
    </>
  )
}
