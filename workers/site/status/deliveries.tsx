import type { Instant } from '../../../shared/argentine-time.ts'
import type { ServiceStatus } from '../../../shared/db/status.ts'
import { ago } from './words.ts'

/** How webhook deliveries are doing. */
export function Deliveries({
  deliveries,
  now,
}: {
  deliveries: ServiceStatus['deliveries']
  now: Instant
}) {
  return (
    <section class="card">
      <h2>Entregas de webhooks</h2>
      {deliveries && !deliveries.canSend && (
        <p class="notice">Las entregas no pueden salir en este momento: esperan y se reintentan.</p>
      )}
      {deliveries ? (
        <dl class="figures">
          <Figure name="En curso" value={deliveries.outstanding.toLocaleString('es-AR')} />
          <Figure
            name="La más vieja"
            value={
              deliveries.oldestWaitingAt
                ? ago(Date.parse(deliveries.oldestWaitingAt), now)
                : 'ninguna espera'
            }
          />
          <Figure
            name="Entregadas en la última hora"
            value={deliveries.deliveredLastHour.toLocaleString('es-AR')}
          />
          <Figure
            name="Abandonadas en la última hora"
            value={deliveries.deadLastHour.toLocaleString('es-AR')}
          />
        </dl>
      ) : (
        <p class="notice">Los números no están disponibles en este momento.</p>
      )}
    </section>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
