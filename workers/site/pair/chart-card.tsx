import { type Pair, pairsOf } from '../../../shared/market/catalog.ts'
import { pairPath } from '../board/words.ts'
import type { Charts } from './read-charts.ts'

const RANGES = [
  ['dia', '1 día', '1D'],
  ['semana', '1 semana', '1S'],
  ['mes', '1 mes', '1M'],
  ['anio', '1 año', '1A'],
  ['todo', 'Todo', 'Todo'],
] as const

/**
 * The frame of the chart, of its final height from the start; the script fills it when it comes
 * into view. Without data, and without a script, it says so.
 */
export function ChartCard({ pair, charts }: { pair: Pair; charts: Charts }) {
  const others = pairsOf(pair.currency)!.filter(
    (other) => other !== pair && other.valueType === pair.valueType,
  )
  const drawn = charts.closes.length + charts.recent.length > 0

  return (
    <section class="card chart-card" aria-labelledby="grafico">
      <div class="card-head">
        <h2 id="grafico">Evolución</h2>
        <a href={`${pairPath(pair)}/diario.csv`} download>
          Descargar CSV
        </a>
      </div>
      {drawn ? (
        <>
          <fieldset class="segments ranges" data-ranges>
            <legend class="visually-hidden">Período</legend>
            {RANGES.map(([value, name, short]) => (
              <label>
                <input
                  type="radio"
                  name="periodo"
                  value={value}
                  checked={value === 'mes'}
                  aria-label={name}
                  autocomplete="off"
                />
                <span aria-hidden="true">{short}</span>
              </label>
            ))}
          </fieldset>
          <div
            class="chart"
            data-chart={pairPath(pair).slice(1)}
            data-name={pair.name}
            data-decimals={pair.decimals}
            data-type={pair.valueType}
          >
            <noscript>El gráfico necesita JavaScript; los cierres están en la tabla.</noscript>
          </div>
          <p class="chart-values" data-values aria-live="off"></p>
          {others.length > 0 && (
            <fieldset class="compare" data-compare>
              <legend>Comparar con</legend>
              {others.map((other) => (
                <label>
                  <input
                    type="checkbox"
                    value={pairPath(other).slice(1)}
                    data-name={other.name}
                    autocomplete="off"
                  />
                  <span>{other.name}</span>
                </label>
              ))}
            </fieldset>
          )}
        </>
      ) : (
        <p class="empty">Todavía no hay datos para dibujar.</p>
      )}
    </section>
  )
}
