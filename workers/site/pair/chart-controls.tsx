import type { Child } from 'hono/jsx'
import type { PairView } from '../board/quote-view.ts'
import { pairPath } from '../board/words.ts'
import { type Range, RANGES } from './series.ts'

interface ChartFrameProps {
  /** The period that is chosen at first. */
  usual: Range
  /** Attributes for the script. */
  data: Record<`data-${string}`, string | number | undefined>
  /** The content instead of a chart, without a script. */
  still: Child
  /** Beside the downloads. */
  choice?: Child
  /** The pairs to compare with. */
  legend: string
  pairs: readonly Comparable[]
  /** The title of the table. */
  caption: string
}

/** The frame of a chart, with its final height. The script draws when the frame is in view. */
export function ChartFrame(props: ChartFrameProps) {
  const { usual, data, still, choice, legend, pairs, caption } = props
  return (
    <>
      <RangeChoice usual={usual} />
      <div class="chart" {...data}>
        <noscript>{still}</noscript>
      </div>
      <p class="chart-values" data-values aria-live="off"></p>
      <div class="chart-tools" data-drawing>
        {choice}
        <button type="button" class="small" data-save="png" disabled>
          Guardar PNG
        </button>
        <button type="button" class="small" data-save="csv" disabled>
          Guardar CSV
        </button>
      </div>
      {pairs.length > 0 && (
        <fieldset class="compare" data-compare>
          <legend>{legend}</legend>
          {pairs.map(({ key, name, usual, confirmed }) => (
            <label>
              <input
                type="checkbox"
                value={key}
                checked={usual}
                data-name={name}
                data-confirmed={confirmed}
                autocomplete="off"
              />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
      )}
      {/* The data for screen readers. The script fills the table when it is opened. */}
      <details class="chart-table" hidden>
        <summary>Ver los datos como tabla</summary>
        <div class="scrolled" tabindex={0} role="region" aria-label={caption}>
          <table class="plain data" data-table>
            <caption class="visually-hidden">{caption}</caption>
            <thead></thead>
            <tbody></tbody>
          </table>
        </div>
      </details>
    </>
  )
}

/**
 * The choice of a period. The script redraws at each choice, and keeps a choice other than the
 * usual one in the address (`client/chart/chart.ts`).
 */
function RangeChoice({ usual }: { usual: Range }) {
  return (
    <fieldset class="segments ranges" data-ranges>
      <legend class="visually-hidden">Período</legend>
      {Object.entries(RANGES).map(([value, { name, short }]) => (
        <label>
          <input
            type="radio"
            name="periodo"
            value={value}
            checked={value === usual}
            aria-label={name}
            autocomplete="off"
          />
          <span aria-hidden="true">{short}</span>
        </label>
      ))}
    </fieldset>
  )
}

interface Comparable {
  key: string
  name: string
  /** Whether the pair is chosen by default. */
  usual?: boolean
  /** Seconds: when a source last confirmed the value. */
  confirmed: number | undefined
}

/** The instant until which the script draws the line, in seconds. */
export function confirmedAt({ quote }: PairView): number | undefined {
  return quote ? Math.floor(quote.lastScrapedAt / 1000) : undefined
}

/** A pair that may be drawn for comparison. */
export function comparable(view: PairView): Comparable {
  const { pair } = view
  return { key: pairPath(pair).slice(1), name: pair.name, confirmed: confirmedAt(view) }
}
