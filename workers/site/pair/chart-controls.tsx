const RANGES = [
  ['dia', '1 día', '1D'],
  ['semana', '1 semana', '1S'],
  ['mes', '1 mes', '1M'],
  ['anio', '1 año', '1A'],
  ['todo', 'Todo', 'Todo'],
] as const
export type Range = (typeof RANGES)[number][0]

/**
 * The periods. The script redraws at each choice, and keeps those that are not the usual ones in the
 * address (`client/chart/chart.ts`).
 */
export function RangeChoice({ usual }: { usual: Range }) {
  return (
    <fieldset class="segments ranges" data-ranges>
      <legend class="visually-hidden">Período</legend>
      {RANGES.map(([value, name, short]) => (
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
  /** Whether it is chosen by default. */
  usual?: boolean
  /** Seconds: when a source last confirmed the value. */
  confirmed: number | undefined
}

export function Comparison({ legend, pairs }: { legend: string; pairs: readonly Comparable[] }) {
  return (
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
  )
}

/** The downloads of the chart. The script makes the buttons work. */
export function ChartOutputs() {
  return (
    <div class="chart-outputs">
      <button type="button" class="small" data-save="png" disabled>
        Guardar PNG
      </button>
      <button type="button" class="small" data-save="csv" disabled>
        Guardar CSV
      </button>
    </div>
  )
}

/** The drawn values as a table, for screen readers; filled when it is opened. */
export function ChartTable({ caption }: { caption: string }) {
  return (
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
  )
}
