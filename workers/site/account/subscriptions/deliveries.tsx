/** The part of a subscription's page that lists deliveries and redelivers them. */
import { formatUtc, HOUR_MS, type Instant } from '../../../../shared/argentine-time.ts'
import { pairKey } from '../../../../shared/market/catalog.ts'
import { ERROR_WORDS } from '../../../../shared/webhooks/delivery.ts'
import type { Delivery, DeliveryPage } from '../../../../shared/db/deliveries/list.ts'
import { SessionForm } from '../parts.tsx'
import { momentText } from '../../../../shared/market/spanish-text.ts'

const STATUS = {
  pending: 'En espera',
  sending: 'Enviándose',
  failed: 'Falló, se reintenta',
  delivered: 'Entregada',
  dead: 'No se pudo entregar',
  cancelled: 'Cancelada',
} as const satisfies Record<Delivery['status'], string>

const TYPE = { automatic: 'Aviso', manual: 'Prueba', sync: 'Puesta al día' } as const

/** Whether a delivery will still change by itself. */
function isOpen({ status }: Delivery): boolean {
  return status === 'pending' || status === 'sending' || status === 'failed'
}

interface DeliveryListProps extends DeliveryPage {
  /** The subscription's page. */
  path: string
  enabled: boolean
}

/** The deliveries, newest first. Shows no body and no credential, and only the host of the URL. */
export function DeliveryList({ deliveries, next, ...props }: DeliveryListProps) {
  if (deliveries.length === 0)
    return <p class="empty">Todavía no hay entregas. Acá se ven los últimos días.</p>

  const { path, enabled } = props
  return (
    <>
      {enabled && (
        <SessionForm action={`${path}/reenviar`} class="actions">
          <label for="reenviar-desde">Reenviar, en orden, lo que no llegó en</label>
          <select id="reenviar-desde" name="desde">
            {SPANS.map(([hours, words]) => (
              <option value={String(hours)}>{words}</option>
            ))}
          </select>
          <button type="submit">Reenviar</button>
        </SessionForm>
      )}
      <ul class="keys">
        {deliveries.map((delivery) => (
          <DeliveryRow delivery={delivery} {...props} />
        ))}
      </ul>
      <p class="help">
        Reenviar manda otra vez las entregas que fallaron o se cancelaron. Durante una pausa no se
        generan entregas: esos cambios se leen en el historial.{' '}
        <a href="/docs/webhooks">Las dos cosas, desde la API</a>.
      </p>
      {next !== null && (
        <p>
          <a href={`${path}?desde=${next}#entregas`}>Ver más viejas</a>
        </p>
      )}
    </>
  )
}

type RowProps = Omit<DeliveryListProps, keyof DeliveryPage> & { delivery: Delivery }

function DeliveryRow({ delivery, path, enabled }: RowProps) {
  const { status, type, code, attempts, errorType, lastAttemptAt, resolvedAt } = delivery
  return (
    <li class="delivery">
      <p class="key-name">
        <span class={`tag ${status}`}>{STATUS[status]}</span>
        <span>
          {TYPE[type]} de {pairKey(delivery.pair)}
        </span>
        {code !== null && <span>HTTP {code}</span>}
      </p>
      {errorType && <p class="delivery-error">Último error: {ERROR_WORDS[errorType]}.</p>}
      <p class="key-facts">
        <At words="Hecha" instant={delivery.createdAt} />
        <At
          words={attempts === 1 ? 'Intentada' : `${attempts} intentos, el último`}
          instant={lastAttemptAt}
        />
        <At words="Resuelta" instant={resolvedAt} />
        {delivery.redelivered && <span>Reenviada</span>}
        <span class="breakable">{delivery.destination}</span>
      </p>
      {enabled && !isOpen(delivery) && (
        <SessionForm action={`${path}/entregas/${delivery.deliveryId}/reenviar`}>
          <button type="submit">Reenviar</button>
        </SessionForm>
      )}
    </li>
  )
}

/** When something happened; empty if it did not happen. */
function At({ words, instant }: { words: string; instant: Instant | null }) {
  if (instant === null) return null
  return (
    <span>
      {words} el <time datetime={formatUtc(instant)}>{momentText(instant, 'seconds')}</time>
    </span>
  )
}

/**
 * The result of a test. While the test is open, the page's script reloads this part. Without
 * JavaScript, the user follows a link.
 */
export function TestResult({ test, path }: { test: Delivery; path: string }) {
  const { status, code, errorType } = test
  const open = isOpen(test)
  const tone = status === 'delivered' ? ' good' : open ? '' : ' bad'
  // While attempts are left, the last error is not the final reason.
  const label = open ? 'Último error' : 'Motivo'
  const reason = errorType && `${label}: ${ERROR_WORDS[errorType]}${code ? ` (HTTP ${code})` : ''}.`
  return (
    <div id="prueba" class="standing" role="status" data-open={open ? 'true' : undefined}>
      <p class={`notice${tone}`}>
        <strong>Prueba: {STATUS[status]}.</strong>{' '}
        {status === 'delivered'
          ? `El receptor respondió HTTP ${code}.`
          : (reason ?? (open && 'Sale en unos segundos.'))}{' '}
        {open && <a href={`${path}?prueba=${test.deliveryId}`}>Ver cómo sigue</a>}
      </p>
    </div>
  )
}

/** The spans of a redelivery, in hours back from now. */
const SPANS = [
  [1, 'la última hora'],
  [6, 'las últimas 6 horas'],
  [24, 'el último día'],
  [7 * 24, 'los últimos 7 días'],
] as const

/** The start of the chosen span; an hour ago when the choice is unknown. */
export function spanStart(hours: string | undefined, now: Instant): Instant {
  const [chosen] = SPANS.find(([span]) => String(span) === hours) ?? SPANS[0]
  return now - chosen * HOUR_MS
}
