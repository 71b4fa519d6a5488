import type { Instant } from '../../../shared/argentine-time.ts'
import type { DayAvailability } from '../../../shared/board/availability.ts'
import type { ServiceStatus } from '../../../shared/db/status.ts'
import { Layout } from '../layout.tsx'
import { Availability } from './availability.tsx'
import { Deliveries } from './deliveries.tsx'
import { PairTable } from './pair-table.tsx'
import { SourceTable } from './source-table.tsx'
import { ago, HEADLINES, REASONS } from './words.ts'

interface Props {
  status: ServiceStatus
  /** Null when the database does not answer. */
  days: DayAvailability[] | null
  /** What is uncertain about the calendar. */
  doubts: readonly string[]
  now: Instant
}

export function StatusPage({ status, days, doubts, now }: Props) {
  const fresh = status.pairs.filter((pair) => pair.fresh).length

  return (
    <Layout title="Estado">
      <div class="page-head">
        <h1>Estado del servicio</h1>
        <p class="count">
          <a href="/api/v2/status">/api/v2/status</a>
        </p>
      </div>
      <section class={`card health ${status.status}`}>
        <h2>
          <span class="dot" aria-hidden="true"></span>
          {HEADLINES[status.status]}
        </h2>
        <p>
          {`${fresh} de ${status.pairs.length} cotizaciones al día. `}
          {status.generatedAt ? `Último ciclo: ${ago(Date.parse(status.generatedAt), now)}.` : null}
        </p>
        {status.reason && <p class="reason">{REASONS[status.reason]}</p>}
        {status.mode !== null && status.mode !== 'live' && (
          <p class="notice">
            {status.mode === 'demo'
              ? 'Modo demo: los precios son simulados.'
              : 'Los precios vienen de una repetición, no del mercado.'}
          </p>
        )}
        {doubts.map((doubt) => (
          <p class="notice">{doubt}</p>
        ))}
      </section>
      <Availability days={days} now={now} />
      <PairTable pairs={status.pairs} now={now} />
      <Deliveries deliveries={status.deliveries} now={now} />
      <SourceTable sources={status.sources} now={now} />
    </Layout>
  )
}
