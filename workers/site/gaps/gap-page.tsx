import type { Instant } from '../../../shared/argentine-time.ts'
import type { Mode } from '../../../shared/board/board.ts'
import { StillChart } from '../board/still-chart.tsx'
import { ModeBanner } from '../board/mode-banner.tsx'
import { dayText, pairPath, percentText } from '../board/words.ts'
import { Layout } from '../layout.tsx'
import { confirmedAt } from '../pair/chart-card.tsx'
import type { ChartChoices } from '../pair/chart-choices.ts'
import { ChartOutputs, ChartTable, Comparison, RangeChoice } from '../pair/chart-controls.tsx'
import { type Extreme, type GapHistory, OFFICIAL } from './gap-history.ts'

const TITLE = 'Brecha cambiaria'

interface Props {
  gaps: readonly GapHistory[]
  choices: ChartChoices
  /** Whether the address selects what is drawn. */
  chosen: boolean
  mode: Mode
  now: Instant
  origin: string
}

/** How far each dollar is from the official one, now and through time. */
export function GapPage(props: Props) {
  const { gaps, mode, origin } = props
  return (
    <Layout
      title={TITLE}
      description="La brecha de cada dólar con el oficial: ahora, hace una semana, un mes y un año, y su gráfico."
      canonical={`${origin}/brecha`}
      styles={['quotes.css', 'pair.css']}
      scripts={['chart.js']}
    >
      <ModeBanner mode={mode} />
      <div class="hero">
        <h1>{TITLE}</h1>
        <p class="lead">{summaryOf(gaps)}</p>
      </div>
      <GapChart {...props} />
      <GapTable gaps={gaps} />
      <p class="board-note">
        La brecha es cuánto más cara es la venta de cada dólar que la del oficial, en el mismo
        momento; la de días pasados, entre sus cierres.
      </p>
    </Layout>
  )
}

function summaryOf(gaps: readonly GapHistory[]): string {
  const blue = gaps.find(({ view }) => view.pair.origin === 'BLUE')
  if (!blue || blue.now === null) return 'Cuánto más caro es cada dólar que el oficial.'
  const before = blue.monthAgo === null ? '' : `; hace un mes era de ${percentText(blue.monthAgo)}`
  return `La brecha entre el blue y el oficial es de ${percentText(blue.now)}${before}.`
}

function GapChart({ gaps, choices, chosen }: Props) {
  const drawable = gaps.some(({ values }) => values.filter((value) => value !== null).length >= 2)
  return (
    <section class="card chart-card" aria-labelledby="grafico">
      <h2 id="grafico">Evolución</h2>
      {drawable ? (
        <>
          <RangeChoice choices={choices} />
          <div
            class="chart"
            data-chart=""
            data-against={pairPath(OFFICIAL).slice(1)}
            data-title={TITLE}
            data-type="percent"
            data-decimals="2"
          >
            <noscript>
              <Still gaps={gaps} />
            </noscript>
          </div>
          <p class="chart-values" data-values aria-live="off"></p>
          <div class="chart-tools">
            <ChartOutputs />
          </div>
          <Comparison
            legend="Dólares"
            pairs={gaps.map(({ view, usual }) => {
              const key = pairPath(view.pair).slice(1)
              const checked = chosen ? choices.compared.includes(key) : usual
              return { key, name: view.pair.name, checked, usual, confirmed: confirmedAt(view) }
            })}
          />
          <ChartTable caption="Brecha de los dólares elegidos en el período elegido" />
        </>
      ) : (
        <p class="empty">
          Todavía no hay dos días para comparar: la línea empieza con el próximo cambio y suma un
          cierre por día.
        </p>
      )}
    </section>
  )
}

/** Without a script: the blue's last year. */
function Still({ gaps }: { gaps: readonly GapHistory[] }) {
  const blue = gaps.find(({ view }) => view.pair.origin === 'BLUE')
  return (
    <StillChart values={blue?.values ?? []}>
      El último año del blue, hasta donde hay datos. Con JavaScript se pueden elegir los dólares y
      el período.
    </StillChart>
  )
}

function GapTable({ gaps }: { gaps: readonly GapHistory[] }) {
  return (
    <section class="group daily" aria-labelledby="brechas">
      <h2 id="brechas">Ahora y antes</h2>
      <div class="scrolled" tabindex={0} role="region" aria-label="Brechas ahora y antes">
        <table class="quotes plain rows data">
          <thead>
            <tr>
              {['Dólar', 'Ahora', 'Hace 7 días', 'Hace 30 días', 'Hace un año'].map((head) => (
                <th scope="col">{head}</th>
              ))}
              <th scope="col">Mínima del año</th>
              <th scope="col">Máxima del año</th>
            </tr>
          </thead>
          <tbody>
            {gaps.map(({ view, now, weekAgo, monthAgo, yearAgo, least, most }) => (
              <tr>
                <th scope="row">
                  <a href={pairPath(view.pair)}>{view.pair.name}</a>
                </th>
                {[now, weekAgo, monthAgo, yearAgo].map((percent) => (
                  <td>{percent === null ? '—' : percentText(percent)}</td>
                ))}
                <td>{least ? <ExtremeMark extreme={least} path={pairPath(view.pair)} /> : '—'}</td>
                <td>{most ? <ExtremeMark extreme={most} path={pairPath(view.pair)} /> : '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function ExtremeMark({ extreme: { day, percent }, path }: { extreme: Extreme; path: string }) {
  return (
    <>
      {percentText(percent)} <a href={`${path}/${day}`}>{dayText(day)}</a>
    </>
  )
}
