import { Hono, type Context } from 'hono'
import {
  argentineDay,
  isDay,
  addDays,
  type Day,
  type Instant,
} from '../../shared/argentine-time.ts'
import { readDay, type PastDay } from './db/past.ts'
import { pairPath } from './board/words.ts'
import { viewOf, type QuoteView } from './board/quote-view.ts'
import type { Deps, SiteContext } from './context.ts'
import { badRequest, HttpError } from './errors.ts'
import { kept, OF_BOARD } from './kept.ts'
import { pairOf } from './pair/pair-routes.tsx'
import { DATE_FORM } from '../../shared/sentences.ts'
import { clientOf } from '../../shared/access/client.ts'
import { createDateReadLimit } from '../../shared/access/burst-limit.ts'
import type { Candle } from '../../shared/db/quotes/points.ts'
import type { Pair } from '../../shared/market/catalog.ts'
import type { DecreedDay } from '../../shared/market/holidays.ts'
import { Crumbs, Fact, ModeBanner, Move, Table } from './board/marks.tsx'
import type { Mode } from '../../shared/board/board.ts'
import { closedReason } from './calendar.tsx'
import { Layout, Panel } from './layout.tsx'
import { DateForm } from './pair/pair-page.tsx'
import {
  dayText,
  longDayText,
  momentText,
  priceText,
  rangeText,
  unitsOf,
  valueText,
  withUnit,
} from '../../shared/market/spanish-text.ts'

/** A page changes when a later day does, or when history is corrected. */
const CACHE = 'public, max-age=300'

/**
 * `/usd/blue/2024-06-05`, and `/usd/blue/fecha?dia=2024-06-05` for the form that leads there. It
 * reads the database, so it has the limit of the API's date reads.
 */
export function dateRoutes({ now, limitDates }: Pick<Deps, 'now'> & { limitDates: LimitDates }) {
  const keep = kept(OF_BOARD)

  return new Hono<SiteContext>()
    .get('/:currency/:origin/fecha', (c, next) => {
      const pair = pairOf(c)
      if (!pair) return next()

      const day = c.req.query('dia') ?? ''
      if (!isDay(day)) throw badRequest(DATE_FORM)
      const today = argentineDay(now())
      c.header('Cache-Control', 'no-store')
      return Promise.resolve(
        c.redirect(day === today ? pairPath(pair) : `${pairPath(pair)}/${day}`, 303),
      )
    })
    .get('/:currency/:origin/:day{\\d{4}-\\d{2}-\\d{2}}', async (c, next) => {
      const pair = pairOf(c)
      const day = c.req.param('day')
      if (!pair || !isDay(day)) return next()

      const instant = now()
      const today = argentineDay(instant)
      if (day > today) throw new HttpError(404, 'Ese día todavía no llegó')
      if (day === today) return c.redirect(pairPath(pair), 302)
      const path = `${pairPath(pair)}/${day}`
      if (c.req.path !== path) return c.redirect(path, 301)

      limitDates(c)
      return keep(c, async () => {
        const past = await readDay(c.env.DB, pair, day)
        const { board } = c.var
        const quote = board && viewOf(board, pair, instant).quote
        const mode = board?.mode ?? 'live'
        const decreed = board?.decreed
        const props = { pair, day, past, quote, mode, decreed, now: instant }
        c.header('Cache-Control', CACHE)
        c.res = await c.render(<DatePage {...props} />)
      })
    })
}

/** Refuses a page of a past day with 429 when its client read too many. */
export type LimitDates = (c: Context<SiteContext>) => void

/** The counter of all pages that read the past. */
export function createLimitDates({ now }: Pick<Deps, 'now'>): LimitDates {
  const admit = createDateReadLimit('page:')

  return (c) => {
    const client = clientOf(c.req.raw.headers, c.env)
    const admission = admit(c.env, { client, now: now(), context: c.executionCtx })
    if (admission.allowed) return

    const retryAfter = admission.retryAfterSeconds
    throw new HttpError(429, 'Demasiadas consultas por fecha, probá de nuevo en unos segundos', {
      retryAfter,
    })
  }
}

export interface DatePageProps {
  pair: Pair
  day: Day
  past: PastDay
  /** The value in effect now, to compare with. */
  quote: QuoteView | null
  mode: Mode
  decreed: readonly DecreedDay[] | undefined
  now: Instant
}

/** A pair on a closed day: its value, and the changes before and after. */
export function DatePage(props: DatePageProps) {
  const { pair, day, past, mode, now } = props
  const path = `${pairPath(pair)}/${day}`
  const title = `${pair.name} el ${longDayText(day)}`

  return (
    <Layout
      title={title}
      description={descriptionOf(title, props)}
      path={path}
      head={past.point ? undefined : <meta name="robots" content="noindex" />}
    >
      <ModeBanner mode={mode} />
      <Crumbs pair={pair}>
        <span aria-hidden="true">/</span>
        <a href={pairPath(pair)}>{pair.name}</a>
      </Crumbs>
      <h1>{title}</h1>
      <Value {...props} />
      <Neighbours {...props} />
      <DateForm pair={pair} day={day} now={now} />
      <p class="pair-links">
        <a href={`/api/v2/date/${day}${pairPath(pair)}`}>Leerla por la API</a>
        <a href={`/api/v2/date/${day}${pairPath(pair)}?format=csv`}>Bajarla en CSV</a>
        <a href={`${pairPath(pair)}/diario.csv`}>Todos los cierres (CSV)</a>
      </p>
    </Layout>
  )
}

function Value({ pair, day, decreed, past: { point, candle, before, after } }: DatePageProps) {
  if (!point) {
    return (
      <p class="empty">
        {after
          ? `Ese día todavía no había datos: el primero es del ${dayText(after.day)}.`
          : 'Ese día no hay datos de esta cotización.'}
      </p>
    )
  }
  const closed = closedReason(day, decreed)
  return (
    <>
      <section class="headline" aria-label="Valor de ese día">
        <p class="headline-value">
          {!pair.singleValue && <span class="headline-side">Venta al final del día</span>}
          <strong>{valueText(point.sell, unitsOf(pair))}</strong>
          {candle && before && <Move from={before.close} to={point.sell} />}
        </p>
        <dl class="facts">
          {!pair.singleValue && <Fact name="Compra">{valueText(point.buy, unitsOf(pair))}</Fact>}
          {before && candle && (
            <Fact name="Cierre anterior">{valueText(before.close, unitsOf(pair))}</Fact>
          )}
          <Fact name="Rango del día">{candle ? dayRangeText(candle, pair) : 'sin cambios'}</Fact>
          <Fact name="Regía desde">{momentText(point.at)}</Fact>
        </dl>
      </section>
      {(closed || !candle) && (
        <p class="notice">
          {closed && `${closed}. `}
          {!candle && `No cambió ese día: sigue el valor del ${dayText(argentineDay(point.at))}.`}
        </p>
      )}
    </>
  )
}

function dayRangeText({ low, high }: Candle, pair: Pair): string {
  const { valueType, decimals } = unitsOf(pair)
  return withUnit(
    low === high ? priceText(low, decimals) : rangeText(low, high, decimals),
    valueType,
  )
}

/** The changes around the day and today's value, each with how far it is from that day's. */
function Neighbours({ pair, day, past: { point, before, after }, quote, now }: DatePageProps) {
  const today = argentineDay(now)
  const next = after && after.day < today ? after : null
  const rows = [
    before && { name: 'Antes', day: before.day, sell: before.close },
    point && { name: 'Ese día', day, sell: point.sell },
    next && { name: 'Después', day: next.day, sell: next.close },
    quote && { name: 'Hoy', day: today, sell: quote.sell },
  ].filter((row) => row !== null)

  return (
    <Panel id="alrededor" title="Antes y después">
      <Table class="plain" head={['Fecha', pair.singleValue ? 'Valor' : 'Venta', 'Diferencia']}>
        {rows.map((row) => (
          <tr>
            <th scope="row">
              {row.name},{' '}
              {row.day === day ? (
                dayText(row.day)
              ) : (
                <a href={row.day === today ? pairPath(pair) : `${pairPath(pair)}/${row.day}`}>
                  {dayText(row.day)}
                </a>
              )}
            </th>
            <td class="sell">{valueText(row.sell, unitsOf(pair))}</td>
            <td>
              <Move from={point && row.day !== day ? point.sell : null} to={row.sell} />
            </td>
          </tr>
        ))}
      </Table>
      <nav class="day-steps" aria-label="Otros días">
        <a href={`${pairPath(pair)}/${addDays(day, -1)}`} rel="prev">
          Día anterior
        </a>
        <a
          href={addDays(day, 1) === today ? pairPath(pair) : `${pairPath(pair)}/${addDays(day, 1)}`}
          rel="next"
        >
          Día siguiente
        </a>
      </nav>
    </Panel>
  )
}

function descriptionOf(title: string, { pair, past: { point, candle } }: DatePageProps): string {
  if (!point) return `${title}: sin datos.`
  const value = pair.singleValue
    ? valueText(point.sell, unitsOf(pair))
    : `compra ${valueText(point.buy, unitsOf(pair))}, venta ${valueText(point.sell, unitsOf(pair))}`
  return `${title}: ${value}${candle ? `, rango ${dayRangeText(candle, pair)}` : ''}.`
}
