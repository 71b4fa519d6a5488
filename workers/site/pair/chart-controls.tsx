import type { Child } from 'hono/jsx'
import { type ChartChoices, RANGES } from './chart-choices.ts'

/** The periods. The script redraws at each choice and keeps it in the address. */
export function RangeChoice({ choices: { range, usualRange } }: { choices: ChartChoices }) {
  return (
    <fieldset class="segments ranges" data-ranges={usualRange}>
      <legend class="visually-hidden">Período</legend>
      {RANGES.map(([value, name, short]) => (
        <label>
          <input
            type="radio"
            name="periodo"
            value={value}
            checked={value === range}
            aria-label={name}
            autocomplete="off"
          />
          <span aria-hidden="true">{short}</span>
        </label>
      ))}
    </fieldset>
  )
}

export interface Comparable {
  key: string
  name: string
  checked: boolean
  /** Whether it is chosen by default. */
  usual?: boolean
  /** Seconds: when a source last confirmed the value. */
  confirmed: number | undefined
}

export function Comparison({ legend, pairs }: { legend: string; pairs: readonly Comparable[] }) {
  return (
    <fieldset class="compare" data-compare>
      <legend>{legend}</legend>
      {pairs.map(({ key, name, checked, usual = false, confirmed }) => (
        <label>
          <input
            type="checkbox"
            value={key}
            checked={checked}
            data-name={name}
            data-usual={usual ? '' : undefined}
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
export function ChartOutputs({ children }: { children?: Child }) {
  return (
    <div class="chart-outputs">
      {children}
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
