import { BRIDGE_DAYS } from '../../shared/market/decreed-days.ts'
import { Hono } from 'hono'
import { useContext } from 'hono/jsx'
import { argentineDay, addDays, type Day, weekday } from '../../shared/argentine-time.ts'
import {
  FIRST_CALENDAR_YEAR,
  closedDay,
  type DecreedDay,
  isMarketDay,
  isWeekend,
} from '../../shared/market/holidays.ts'
import type { SiteContext } from './context.ts'
import { withBoard } from './page-board.ts'
import { banksOpen, type KnownDays } from '../../shared/market/market-hours.ts'
import { Table } from './board/elements.tsx'
import { Card, Layout, Now, Tabs } from './layout.tsx'
import { longDayText } from '../../shared/market/spanish-text.ts'

const CACHE = 'public, max-age=600'

/** `/calendario` shows the current year, `/calendario/2027` another, at most the next year. */
export function calendarRoutes() {
  return new Hono<SiteContext>().get('/:year{\\d{4}}?', withBoard, async (c, next) => {
    const running = Number(argentineDay(c.var.now()).slice(0, 4))
    const year = Number(c.req.param('year') ?? running)
    if (year < FIRST_CALENDAR_YEAR || year > running + 1) return next()

    c.header('Cache-Control', CACHE)
    return c.render(<CalendarPage year={year} known={c.var.board ?? {}} />)
  })
}

const WEEKDAYS = ['domingo', 'lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado']

interface Props {
  year: number
  /** The days that the list of holidays adds to the built-in calendar. */
  known: KnownDays
}

/** The days of a year on which banks or exchanges are closed, and whether they are open today. */
function CalendarPage({ year, known }: Props) {
  const today = argentineDay(useContext(Now))
  const count = Number(today.slice(0, 4)) + 2 - FIRST_CALENDAR_YEAR
  const years = Array.from({ length: count }, (_, index) => FIRST_CALENDAR_YEAR + index)
  const norm = BRIDGE_DAYS[year]?.norm
  const title = `Feriados bursátiles y bancarios ${year}`

  return (
    <Layout
      title={title}
      description={`Qué días de ${year} no operan los bancos ni los mercados de la Argentina.`}
      path={`/calendario/${year}`}
    >
      <div class="hero">
        <h1>{title}</h1>
        <p class="lead">{todayText(today, known)}</p>
      </div>
      <Tabs
        label="Años"
        links={years.map((other) => [`/calendario/${other}`, other])}
        here={`/calendario/${year}`}
      />
      {norm === undefined && (
        <p class="notice">
          Todavía no se conoce la norma que fija los días no laborables con fines turísticos de{' '}
          {year}: cuando salga se agregan, y hasta entonces cuentan como días hábiles.
        </p>
      )}
      <Card id="feriados" title="Días sin actividad">
        <ClosedDays year={year} today={today} decreed={known.decreed ?? []} />
      </Card>
      <p class="board-note">
        Además cierran todos los sábados y domingos. El dólar cripto cotiza siempre; CER y UVA
        tienen un valor para cada día. Los feriados trasladables siguen la ley 27.399
        {norm && `; los puentes de ${year}, la norma que los fijó (${norm})`}. El asueto bancario
        del 24 y el 31 de diciembre se agrega cuando el Banco Central lo comunica; un feriado por
        decreto, cuando aparece en el archivo público de ArgentinaDatos.
      </p>
    </Layout>
  )
}

interface DaysProps {
  year: number
  today: Day
  decreed: readonly DecreedDay[]
}

function ClosedDays({ year, today, decreed }: DaysProps) {
  const days = daysOf(year).flatMap((day) => {
    const closed = closedDay(day, decreed)
    return closed ? [{ day, name: closed.name }] : []
  })
  const next = days.find(({ day }) => day >= today)?.day

  return (
    <Table class="rows" head={['Día', 'Motivo', 'Cierran']}>
      {days.map(({ day, name }) => (
        <tr class={day < today ? 'muted' : undefined}>
          <th scope="row">
            <time datetime={day}>{shortDay(day)}</time>
            {day === next && <span class="tag">{day === today ? 'Hoy' : 'El próximo'}</span>}
          </th>
          <td>
            {name}
            {isWeekend(day) && ' (fin de semana)'}
          </td>
          <td>{isMarketDay(day, decreed) ? 'solo los bancos' : 'bancos y mercados'}</td>
        </tr>
      ))}
    </Table>
  )
}

function daysOf(year: number): Day[] {
  const days: Day[] = []
  for (let day = `${year}-01-01`; day.startsWith(`${year}`); day = addDays(day, 1)) days.push(day)
  return days
}

function shortDay(day: Day): string {
  const [, month, date] = day.split('-')
  return `${WEEKDAYS[weekday(day)]} ${date}/${month}`
}

function todayText(today: Day, known: KnownDays): string {
  const reason = closedReason(today, known.decreed)
  const head = `Hoy, ${longDayText(today)}`
  const banks = banksOpen(today, known)
  if (banks && reason)
    return `${head}, los bancos publican cotizaciones. Por calendario: ${reason}.`
  if (banks) return `${head}, operan bancos y mercados.`
  return isMarketDay(today, known.decreed)
    ? `${head}, operan los mercados y no los bancos. ${reason}.`
    : `${head}, no operan ni bancos ni mercados. ${reason}.`
}

/** Why banks, or banks and exchanges, are closed on a day; null on a business day. */
export function closedReason(day: Day, decreed?: readonly DecreedDay[]): string | null {
  const closed = closedDay(day, decreed)
  if (closed) {
    if (closed.isHoliday) return `Feriado: ${closed.name}`
    return `Sin bancos${closed.exchanges ? '' : ' ni mercados'}: ${closed.name}`
  }
  if (!isWeekend(day)) return null
  return weekday(day) === 0 ? 'Domingo' : 'Sábado'
}
