import { addDays, argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import {
  AVAILABILITY_DAYS,
  availabilityOf,
  type DayAvailability,
} from '../../../shared/board/availability.ts'
import { Table } from '../board/table.tsx'
import { Card } from '../layout.tsx'
import { dayText, durationText, shareText } from '../../../shared/market/spanish-text.ts'

/** The last 90 days, as bars and as a table. */
export function Availability({ days, now }: { days: DayAvailability[] | null; now: Instant }) {
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
          <Bars days={days} now={now} />
          <details>
            <summary>Ver día por día</summary>
            <Table class="rows" head={['Día', 'Disponible', 'Con demoras', 'Caído']}>
              {days.toReversed().map((day) => (
                <tr>
                  <th scope="row">{dayText(day.day)}</th>
                  <td>{shareText(availabilityOf([day]) ?? 0)}</td>
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

function Bars({ days, now }: { days: DayAvailability[]; now: Instant }) {
  const today = argentineDay(now)
  const byDay = new Map(days.map((day) => [day.day, day]))
  const list = Array.from({ length: AVAILABILITY_DAYS }, (_, index) =>
    addDays(today, index + 1 - AVAILABILITY_DAYS),
  )

  return (
    <div aria-hidden="true">
      <svg
        class="days"
        viewBox={`0 0 ${AVAILABILITY_DAYS * 4} 40`}
        preserveAspectRatio="none"
        focusable="false"
      >
        {list.map((day, index) => (
          <rect class={classOf(byDay.get(day))} x={index * 4} y="0" width="3" height="40">
            <title>{`${dayText(day)}: ${wordsOf(byDay.get(day))}`}</title>
          </rect>
        ))}
      </svg>
      <p class="days-ends">
        <span>{dayText(list[0]!)}</span>
        <span>hoy</span>
      </p>
    </div>
  )
}

/**
 * A day's colour: `down` from one per cent of the day on, `degraded` when pairs were late for as
 * long.
 */
function classOf(day: DayAvailability | undefined): string {
  if (!day) return 'unknown'

  const all = day.ok + day.degraded + day.down
  if (day.down > all / 100) return 'down'
  return day.degraded > all / 100 ? 'degraded' : 'ok'
}

function wordsOf(day: DayAvailability | undefined): string {
  return day ? `${shareText(availabilityOf([day]) ?? 0)} disponible` : 'sin datos'
}
