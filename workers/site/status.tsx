import { Hono } from 'hono'
import { type Child, useContext } from 'hono/jsx'
import { MINUTE_MS, addDays, argentineDay } from '../../shared/argentine-time.ts'
import {
  type DayAvailability,
  AVAILABILITY_DAYS,
  availabilityOf,
} from '../../shared/board/availability.ts'
import type { StatusReason, StatusWord } from '../../shared/board/status.ts'
import { readAvailability } from './db/past.ts'
import { createStatusReader, keepLast, type ServiceStatus } from '../../shared/db/status.ts'
import { findPair } from '../../shared/market/catalog.ts'
import { Fact, ModeBanner, Table } from './board/elements.tsx'
import type { SiteContext, SiteEnv } from './context.ts'
import { Card, Layout, Now } from './layout.tsx'
import { ageText, dayText, numberText } from '../../shared/market/spanish-text.ts'

/** The status page. It shows the same data as `GET /api/v2/status`. */
export function statusRoutes() {
  const readStatus = createStatusReader()
  const daysOf = keepLast(MINUTE_MS, 'availability_failed', ({ DB }: SiteEnv, instant) =>
    readAvailability(DB, instant),
  )

  return new Hono<SiteContext>().get('/', async (c) => {
    const now = c.var.now()
    const [status, days] = await Promise.all([readStatus(c.env, now), daysOf(c.env, now)])
    c.header('Cache-Control', 'public, max-age=10')
    return c.render(<StatusPage status={status} days={days} />)
  })
}

interface Props {
  status: ServiceStatus
  /** Null when the database does not answer. */
  days: DayAvailability[] | null
}

function StatusPage({ status, days }: Props) {
  const fresh = status.pairs.filter((pair) => pair.fresh).length
  const { generatedAt } = status

  return (
    <Layout title="Estado">
      <div class="page-head">
        <h1>Estado del servicio</h1>
        <p class="count">
          <a href="/api/v2/status">/api/v2/status</a>
        </p>
      </div>
      <section class="card">
        <h2>
          <State mark={status.status}>{HEADLINES[status.status]}</State>
        </h2>
        {status.reason && <p>{REASONS[status.reason]}</p>}
        <p>
          {`${fresh} de ${status.pairs.length} cotizaciones ${status.reason ? 'todavía están ' : ''}al día. `}
          {generatedAt && (
            <>
              Último ciclo: <Age at={generatedAt} />.
            </>
          )}
        </p>
        {status.mode !== null && <ModeBanner mode={status.mode} />}
        {doubtsOf(status.calendar).map((doubt) => (
          <p class="notice">{doubt}</p>
        ))}
      </section>
      <Availability days={days} />
      <Pairs pairs={status.pairs} />
      <Deliveries deliveries={status.deliveries} />
      <Sources sources={status.sources} />
    </Layout>
  )
}

/** Each pair: whether it is fresh, and when and by which source it was last confirmed. */
function Pairs({ pairs }: Pick<ServiceStatus, 'pairs'>) {
  return (
    <Card title="Cotizaciones">
      <Table class="rows" head={['Par', 'Estado', 'Confirmada']}>
        {pairs.map(({ currency, origin, fresh, held, lastScrapedAt, source }) => (
          <tr>
            <th scope="row">{findPair(currency, origin)?.name}</th>
            <td>
              {fresh ? (
                <State mark="ok">Al día</State>
              ) : lastScrapedAt ? (
                <State mark="degraded">Demorada</State>
              ) : (
                <State mark="down">Sin datos</State>
              )}
              {held && <span class="tag">Valor nuevo en revisión</span>}
            </td>
            <td>
              <Age at={lastScrapedAt} />
              {source && `, por ${source}`}
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  )
}

/** The counts of webhook deliveries. */
function Deliveries({ deliveries }: Pick<ServiceStatus, 'deliveries'>) {
  if (!deliveries)
    return (
      <Card title="Entregas de webhooks">
        <p class="notice">Los números no están disponibles en este momento.</p>
      </Card>
    )
  const { canSend, outstanding, oldestWaitingAt, deliveredLastHour, deadLastHour } = deliveries
  return (
    <Card title="Entregas de webhooks">
      {!canSend && (
        <p class="notice">Las entregas no pueden salir en este momento: esperan y se reintentan.</p>
      )}
      <dl class="facts">
        <Fact name="En curso">{numberText(outstanding)}</Fact>
        <Fact name="La más vieja">
          {oldestWaitingAt ? <Age at={oldestWaitingAt} /> : 'ninguna espera'}
        </Fact>
        <Fact name="Entregadas en la última hora">{numberText(deliveredLastHour)}</Fact>
        <Fact name="Abandonadas en la última hora">{numberText(deadLastHour)}</Fact>
      </dl>
    </Card>
  )
}

/** Every source: when it last responded, and its errors since then. */
function Sources({ sources }: Pick<ServiceStatus, 'sources'>) {
  const failing = sources.filter((source) => source.lastError !== null).length
  const count =
    failing === 0 ? `${sources.length} responden` : `${failing} de ${sources.length} fallan`

  return (
    <Card title="Fuentes" aside={sources.length > 0 && count}>
      {sources.length === 0 ? (
        <p class="empty">Todavía no se consultó ninguna.</p>
      ) : (
        <details>
          <summary>Ver todas</summary>
          <Table class="rows" head={['Fuente', 'Última respuesta', 'Estado']}>
            {sources.map(({ name, lastSuccessAt, lastError }) => (
              <tr>
                <th scope="row">{name}</th>
                <td>
                  <Age at={lastSuccessAt} />
                </td>
                <td>
                  {lastError ? (
                    <State mark="degraded">{FAILURES[lastError] ?? 'no respondió bien'}</State>
                  ) : lastSuccessAt ? (
                    <State mark="ok">responde</State>
                  ) : (
                    <State mark="unknown">sin consultar</State>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        </details>
      )}
    </Card>
  )
}

function State({ mark, children }: { mark: string; children?: Child }) {
  return (
    <span class={`state ${mark}`}>
      <span class="dot" aria-hidden="true"></span>
      {children}
    </span>
  )
}

function Age({ at }: { at: string | null }) {
  if (!at) return <>nunca</>
  return <time datetime={at}>{ageText(Date.parse(at), useContext(Now))}</time>
}

/** The last 90 days, as bars and as a table. */
function Availability({ days }: Pick<Props, 'days'>) {
  const total = days && availabilityOf(days)

  return (
    <Card
      title={`Últimos ${AVAILABILITY_DAYS} días`}
      aside={total !== null && `${shareText(total)} disponible`}
    >
      {!days && <p class="notice">La historia no está disponible en este momento.</p>}
      {days?.length === 0 && (
        <p class="empty">Todavía no hay historia: empieza con el segundo ciclo.</p>
      )}
      {days && days.length > 0 && (
        <>
          <Bars days={days} />
          <details>
            <summary>Ver día por día</summary>
            <Table class="rows" head={['Día', 'Disponible', 'Con demoras', 'Caído']}>
              {days.toReversed().map((day) => (
                <tr>
                  <th scope="row">{dayText(day.day)}</th>
                  <td>{shareOf(day)}</td>
                  <td>{durationText(day.degraded)}</td>
                  <td>{durationText(day.down)}</td>
                </tr>
              ))}
            </Table>
          </details>
        </>
      )}
    </Card>
  )
}

/** `99,95 %`: two decimals cut, not rounded, so that an outage never shows as 100 %. */
function shareText(share: number): string {
  return `${numberText(Math.floor(share * 10_000 + 1e-9) / 100, 0, 2)}\u00a0%`
}

/** `45 min`, `3 h 20 min`. */
function durationText(milliseconds: number): string {
  const minutes = Math.round(milliseconds / MINUTE_MS)
  if (minutes < 60) return `${minutes} min`

  const rest = minutes % 60
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`
}

const shareOf = (day: DayAvailability) => shareText(availabilityOf([day]) ?? 0)

function Bars({ days }: { days: readonly DayAvailability[] }) {
  const today = argentineDay(useContext(Now))
  const list = Array.from({ length: AVAILABILITY_DAYS }, (_, index) => {
    const day = addDays(today, index + 1 - AVAILABILITY_DAYS)
    return { day, known: days.find((known) => known.day === day) }
  })

  return (
    <div aria-hidden="true">
      <svg
        class="days"
        viewBox={`0 0 ${AVAILABILITY_DAYS * 4} 40`}
        preserveAspectRatio="none"
        focusable="false"
      >
        {list.map(({ day, known }, index) => (
          <rect class={known && markOf(known)} x={index * 4} y="0" width="3" height="40">
            <title>{`${dayText(day)}: ${known ? `${shareOf(known)} disponible` : 'sin datos'}`}</title>
          </rect>
        ))}
      </svg>
      <p class="days-ends">
        <span>{dayText(list[0]!.day)}</span>
        <span>hoy</span>
      </p>
    </div>
  )
}

/** The state of a day: `down` or `degraded` if it lasted more than one per cent of the day. */
function markOf({ ok, degraded, down }: DayAvailability): StatusWord {
  const percent = (ok + degraded + down) / 100
  if (down > percent) return 'down'
  return degraded > percent ? 'degraded' : 'ok'
}

const HEADLINES: Readonly<Record<StatusWord, string>> = {
  ok: 'Todo funciona',
  degraded: 'Hay demoras',
  down: 'El servicio no está actualizando cotizaciones',
}

const REASONS: Readonly<Record<StatusReason, string>> = {
  no_board: 'Todavía no se publicó ningún ciclo.',
  clock: 'El reloj del servicio está mal: no se registra nada hasta que esté en hora.',
  board_too_old: 'Hace más de 15 minutos que no termina ningún ciclo.',
  no_source_answered: 'En el último ciclo no respondió ninguna fuente.',
  no_pair_fresh: 'Ninguna cotización está al día.',
  cycle_missed: 'El último ciclo no terminó.',
}

/** The warnings about the calendar of banks. */
export function doubtsOf({ mayBeHoliday, lacking }: ServiceStatus['calendar']): string[] {
  const days = lacking.map(dayText).join(', ')
  return [
    ...(mayBeHoliday
      ? [`Ningún banco publicó su tabla del ${dayText(mayBeHoliday)}: puede ser un feriado.`]
      : []),
    ...(days ? [`El archivo público de feriados no tiene ${days}; el calendario sí.`] : []),
  ]
}

const FAILURES: Readonly<Record<string, string>> = {
  timeout: 'no respondió a tiempo',
  http: 'respondió con un error',
  format: 'cambió de formato',
  network: 'fuera de alcance',
  too_large: 'mandó demasiados datos',
  empty: 'no trajo datos',
  internal: 'falló nuestro programa',
}
