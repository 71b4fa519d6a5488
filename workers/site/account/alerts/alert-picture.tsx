import { type Instant, SECOND_MS } from '../../../../shared/argentine-time.ts'
import { type Alert, isLevel } from '../../../../shared/alerts/alert.ts'
import { valueWords, watchedWords } from '../../../../shared/alerts/alert-words.ts'
import { wantedOf } from '../../../../shared/alerts/watch.ts'
import { priceToNumber } from '../../../../shared/market/price.ts'
import { dailyValues, linePath, rangeOf, yIn } from '../../board/line.ts'
import type { Charts } from '../../pair/read-charts.ts'

const DAYS = 90
const BOX = { width: 800, height: 220, pad: 6 }

/** Hundredths of a percent in the whole. */
const WHOLE = 10_000

interface Props {
  alert: Alert
  charts: Pick<Charts, 'closes'>
  now: Instant
}

/** The watched value over the last days, with the lines at which the alert fires. */
export function AlertPicture({ alert, charts, now }: Props) {
  const watch = wantedOf(alert)
  const closes = charts.closes.map(
    ([day, sell, buy]) => [day, alert.side === 'buy' ? buy : sell] as const,
  )
  // A second old: the line is drawn to the second, and the value must be in effect before its end.
  const quote = alert.now && { sell: alert.now.value, updatedAt: now - SECOND_MS }
  const values = dailyValues({ closes, quote }, DAYS, now)
  const levels = levelsOf(alert)
  const range = rangeOf([...values, ...levels])
  const path = linePath(values, { ...BOX, range })
  const levelTexts = levels.map((level) => valueWords(watch, level))

  if (!path || levels.length === 0)
    return <p class="empty">Todavía no hay datos para dibujar lo que mira esta alerta.</p>
  return (
    <figure class="alert-picture">
      <svg
        viewBox={`0 0 ${BOX.width} ${BOX.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${watchedWords(watch)} en los últimos ${DAYS} días; la alerta está en ${levelTexts.join(' y en ')}.`}
      >
        <path class="line" d={path} />
        {levels.map((level) => {
          const y = yIn(level, range, BOX)
          return <line class="level" x1="0" x2={String(BOX.width)} y1={y} y2={y} />
        })}
      </svg>
      <figcaption class="muted">
        Últimos {DAYS} días. La línea cortada es donde avisa{isLevel(alert.condition) ? '' : ' hoy'}
        : {levelTexts.join(' y ')}.
      </figcaption>
    </figure>
  )
}

/** The values at which it fires now; none while its base is missing. */
function levelsOf({ condition, threshold, now }: Alert): number[] {
  if (isLevel(condition)) return [priceToNumber(threshold)]
  if (now === null || now.base === null) return []

  const base = priceToNumber(now.base)
  const distance = (base * threshold) / WHOLE
  return [base - distance, base + distance].filter((level) => level > 0)
}
