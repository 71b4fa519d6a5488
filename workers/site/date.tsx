import { Hono, type MiddlewareHandler } from 'hono'
import { useContext } from 'hono/jsx'
import { argentineDay, isDay, addDays, type Day } from '../../shared/argentine-time.ts'
import { readDay, type PastDay } from './db/past.ts'
import { bothSides, dayRangeText, pairPath } from './board/words.ts'
import { viewOf, type QuoteView } from './board/quote-view.ts'
import type { SiteContext } from './context.ts'
import { badRequest, HttpError, notFound } from '../../shared/http-error.ts'
import { withBoard } from './page-board.ts'
import { inCatalogue } from './pair/pair-routes.tsx'
import { DATE_FORM } from '../../shared/sentences.ts'
import { createDateReadLimit } from '../../shared/access/burst-limit.ts'
import type { Pair } from '../../shared/market/catalog.ts'
import type { DecreedDay } from '../../shared/market/holidays.ts'
import { Crumbs, Fact, Headline, ModeBanner, Move, Table } from './board/elements.tsx'
import type { Mode } from '../../shared/board/board.ts'
import { closedReason } from './calendar.tsx'
import { Layout, Now, Panel } from './layout.tsx'
import { DateForm } from './pair/pair-page.tsx'
import {
  dayText,
  longDayText,
  momentText,
  unitsOf,
  valueText,
} from '../../shared/market/spanish-text.ts'

/** The page of a past day still changes: with the next change of the pair, or a correction. */
const CACHE = 'public, max-age=300'

/**
 * `/usd/blue/2024-06-05`; the form of the pair's page sends `/usd/blue/fecha?dia=2024-06-05`, which
 * redirects there. The page reads the database, so it has the limit of the API's date reads.
 */
export function dateRoutes(limitDates: MiddlewareHandler<SiteContext>) {
  const ofDay = [inCatalogue(), toItsAddress, limitDates, withBoard] as const

  return new Hono<SiteContext>()
    .get('/:currency/:origin/fecha', inCatalogue(), (c) => {
      const path = pairPath(c.var.pair)
      const day = c.req.query('dia') ?? ''
      if (!isDay(day)) throw badRequest(DATE_FORM)
      c.header('Cache-Control', 'no-store')
      return c.redirect(day === argentineDay(c.var.now()) ? path : `${path}/${day}`, 303)
    })
    .get('/:currency/:origin/:day{\\d{4}-\\d{2}-\\d{2}}', ...ofDay, async (c) => {
      const { pair, board } = c.var
      const day = c.req.param('day')
      const past = await readDay(c.env.DB, pair, day)
      const quote = board && viewOf(board, pair, c.var.now()).quote
      const mode = board?.mode ?? 'live'
      c.header('Cache-Control', CACHE)
      return c.render(<DatePage {...{ pair, day, past, quote, mode, decreed: board?.decreed }} />)
    })
}

/** Redirects to the canonical address of a past day, and refuses other days. */
const toItsAddress: MiddlewareHandler<SiteContext> = async (c, next) => {
  const [pair, day] = [pairPath(c.var.pair), c.req.param('day') ?? '']
  const today = argentineDay(c.var.now())
  if (!isDay(day)) throw notFound()
  if (day > today) throw new HttpError(404, 'Ese día todavía no llegó')
  if (day === today) return c.redirect(pair, 302)
  return c.req.path === `${pair}/${day}` ? next() : c.redirect(`${pair}/${day}`, 301)
}

/** Answers 429 when a client reads too many pages about the past. All of them share one limit. */
export function createLimitDates(): MiddlewareHandler<SiteContext> {
  const limit = createDateReadLimit('page:')

  return async (c, next) => {
    const retryAfter = limit(c.req.raw, c.env, c.var.now(), c.executionCtx)
    if (retryAfter === null) return next()
    throw new HttpError(429, 'Demasiadas consultas por fecha, probá de nuevo en unos segundos', {
      retryAfter,
    })
  }
}

interface DatePageProps {
  pair: Pair
  day: Day
  past: PastDay
  /** The current value, for comparison. */
  quote: QuoteView | null
  mode: Mode
  decreed: readonly DecreedDay[] | undefined
}

/** A pair on a closed day: its value, and the changes before and after. */
function DatePage(props: DatePageProps) {
  const { pair, day, past, mode } = props
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
      <DateForm pair={pair} day={day} />
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
  const units = unitsOf(pair)
  const moved = candle && before
  return (
    <>
      <Headline
        label="Valor de ese día"
        side={!pair.singleValue && 'Venta al final del día'}
        value={valueText(point.sell, units)}
        aside={moved && <Move from={moved.close} to={point.sell} />}
      >
        {!pair.singleValue && <Fact name="Compra">{valueText(point.buy, units)}</Fact>}
        {moved && <Fact name="Cierre anterior">{valueText(moved.close, units)}</Fact>}
        <Fact name="Rango del día">{dayRangeText(pair, candle)}</Fact>
        <Fact name="Regía desde">{momentText(point.at)}</Fact>
      </Headline>
      {(closed || !candle) && (
        <p class="notice">
          {closed && `${closed}. `}
          {!candle && `No cambió ese día: sigue el valor del ${dayText(argentineDay(point.at))}.`}
        </p>
      )}
    </>
  )
}

/** The changes before and after the day, and today's value, each with its difference in percent. */
function Neighbours({ pair, day, past: { point, before, after }, quote }: DatePageProps) {
  const today = argentineDay(useContext(Now))
  const addressOf = (other: Day) => `${pairPath(pair)}${other === today ? '' : `/${other}`}`
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
              {row.day === day ? dayText(day) : <a href={addressOf(row.day)}>{dayText(row.day)}</a>}
            </th>
            <td class="sell">{valueText(row.sell, unitsOf(pair))}</td>
            <td>
              <Move from={point && row.day !== day ? point.sell : null} to={row.sell} />
            </td>
          </tr>
        ))}
      </Table>
      <nav class="day-steps" aria-label="Otros días">
        <a href={addressOf(addDays(day, -1))} rel="prev">
          Día anterior
        </a>
        <a href={addressOf(addDays(day, 1))} rel="next">
          Día siguiente
        </a>
      </nav>
    </Panel>
  )
}

function descriptionOf(title: string, { pair, past: { point, candle } }: DatePageProps): string {
  if (!point) return `${title}: sin datos.`
  const range = candle ? `, rango ${dayRangeText(pair, candle)}` : ''
  return `${title}: ${bothSides(pair, point)}${range}.`
}
