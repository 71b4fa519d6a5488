import {
  addDays,
  argentineDay,
  type Day,
  dayStart,
  type Instant,
  weekday,
} from '../../../shared/argentine-time.ts'
import {
  HOLIDAY_YEARS,
  isBankDay,
  isMarketDay,
  isWeekend,
} from '../../../shared/market/holidays.ts'
import { longDayText } from '../board/words.ts'
import { Layout } from '../layout.tsx'
import { closedReason, holidayName } from './holiday-names.ts'

const WEEKDAYS = ['domingo', 'lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado']

interface Props {
  year: number
  now: Instant
  origin: string
}

/** The days of a year on which banks or exchanges do not open, and whether they do today. */
export function CalendarPage({ year, now, origin }: Props) {
  const today = argentineDay(now)
  const title = `Feriados bursátiles y bancarios ${year}`
  const days = daysOf(year).filter((day) => holidayName(day) !== null)
  const next = days.find((day) => day >= today)

  return (
    <Layout
      title={title}
      description={`Qué días de ${year} no operan los bancos ni los mercados de la Argentina.`}
      canonical={`${origin}/calendario/${year}`}
      styles={['quotes.css', 'pair.css']}
    >
      <div class="hero">
        <h1>{title}</h1>
        <p class="lead">{todayText(today)}</p>
      </div>
      <nav class="tabs" aria-label="Años">
        {HOLIDAY_YEARS.map((other) => (
          <a href={`/calendario/${other}`} aria-current={other === year ? 'page' : undefined}>
            {other}
          </a>
        ))}
      </nav>
      <section class="group" aria-labelledby="feriados">
        <h2 id="feriados">Días sin actividad</h2>
        <table class="quotes plain rows days-table">
          <thead>
            <tr>
              <th scope="col">Día</th>
              <th scope="col">Motivo</th>
              <th scope="col">Cierran</th>
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr class={day < today ? 'past' : undefined}>
                <th scope="row">
                  <time datetime={day}>{shortDay(day)}</time>
                  {day === next && <span class="tag">{day === today ? 'Hoy' : 'El próximo'}</span>}
                </th>
                <td>
                  {holidayName(day)}
                  {isWeekend(day) && ' (fin de semana)'}
                </td>
                <td>{isMarketDay(day) ? 'solo los bancos' : 'bancos y mercados'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="board-note">
        Además cierran todos los sábados y domingos. El dólar cripto cotiza siempre; CER y UVA
        tienen un valor para cada día. Los feriados de un año nuevo se agregan cuando sale su
        decreto.
      </p>
    </Layout>
  )
}

function daysOf(year: number): Day[] {
  const days: Day[] = []
  for (let day = `${year}-01-01`; day.startsWith(`${year}`); day = addDays(day, 1)) days.push(day)
  return days
}

function shortDay(day: Day): string {
  const [, month, date] = day.split('-')
  return `${WEEKDAYS[weekday(dayStart(day))]} ${date}/${month}`
}

function todayText(today: Day): string {
  const reason = closedReason(today)
  const head = `Hoy, ${longDayText(today)}`
  if (isBankDay(today)) return `${head}, operan bancos y mercados.`
  return isMarketDay(today)
    ? `${head}, operan los mercados y no los bancos. ${reason}.`
    : `${head}, no operan ni bancos ni mercados. ${reason}.`
}
