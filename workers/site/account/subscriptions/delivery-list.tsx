import type { Child } from 'hono/jsx'
import { formatArgentine, formatUtc, type Instant } from '../../../../shared/argentine-time.ts'
import { pairKey } from '../../../../shared/market/catalog.ts'
import type { Delivery } from '../../../../shared/subscriptions/deliveries.ts'
import { errorWords, statusWords, typeWords } from './delivery-words.ts'

export interface DeliveryListProps {
  deliveries: readonly Delivery[]
  /** The name of an automatic delivery where it is not a change of a value. */
  automatic?: string | undefined
  /** The actions of a delivery. */
  actions(delivery: Delivery): Child
}

/** Deliveries, newest first: never a body, a credential or more of the URL than its host. */
export function DeliveryList({ deliveries, automatic, actions }: DeliveryListProps) {
  if (deliveries.length === 0)
    return <p class="empty">Todavía no hay entregas. Acá se ven los últimos días.</p>

  return (
    <ul class="keys">
      {deliveries.map((delivery) => (
        <DeliveryRow delivery={delivery} automatic={automatic} action={actions(delivery)} />
      ))}
    </ul>
  )
}

function DeliveryRow({
  delivery,
  automatic,
  action,
}: {
  delivery: Delivery
  automatic?: string | undefined
  action: Child
}) {
  const { status, code, attempts, createdAt, lastAttemptAt, resolvedAt, destination } = delivery
  const error = errorWords(delivery)

  return (
    <li class="delivery">
      <p class="key-name">
        <span class={`tag ${status}`}>{statusWords(delivery)}</span>
        <span>
          {(delivery.type === 'automatic' && automatic) || typeWords(delivery)} de{' '}
          {pairKey(delivery.pair)}
        </span>
        {code !== null && <span>HTTP {code}</span>}
      </p>
      {error && <p class="delivery-error">Último error: {error}.</p>}
      <p class="key-facts">
        <span>
          Hecha el <Time at={createdAt} />
        </span>
        {lastAttemptAt !== null && (
          <span>
            {attempts === 1 ? 'Intentada' : `${attempts} intentos, el último`} el{' '}
            <Time at={lastAttemptAt} />
          </span>
        )}
        {resolvedAt !== null && (
          <span>
            Resuelta el <Time at={resolvedAt} />
          </span>
        )}
        {delivery.redelivery !== null && <span>Reenviada</span>}
        <span class="breakable">{destination}</span>
      </p>
      {action}
    </li>
  )
}

/** Argentine time, to the second. */
function Time({ at }: { at: Instant }) {
  const [day = '', time = ''] = formatArgentine(at).split('T')
  const [year, month, date] = day.split('-')

  return (
    <time datetime={formatUtc(at)}>
      {`${Number(date)}/${Number(month)}/${year}, ${time.slice(0, 8)}`}
    </time>
  )
}
