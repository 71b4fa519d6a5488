/** Redelivery of what a subscription missed. */
import type { Instant } from '../../../../shared/argentine-time.ts'
import type { Delivery } from '../../../../shared/subscriptions/deliveries.ts'
import { isOpen } from './delivery-words.ts'

const HOUR_MS = 60 * 60 * 1000

/** How many hours back. */
const SPANS = [
  [1, 'la última hora'],
  [6, 'las últimas 6 horas'],
  [24, 'el último día'],
  [7 * 24, 'los últimos 7 días'],
] as const

/** The instant of a form's choice; an hour ago when it is none of the choices. */
export function spanStart(hours: string | undefined, now: Instant): Instant {
  const [chosen] = SPANS.find(([span]) => String(span) === hours) ?? SPANS[0]
  return now - chosen * HOUR_MS
}

interface FormProps {
  /** The subscription's page. */
  path: string
  token: string
}

/** The button of one delivery. */
export function RedeliverOne({ path, token, delivery }: FormProps & { delivery: Delivery }) {
  return (
    <form method="post" action={`${path}/entregas/${delivery.deliveryId}/reenviar`}>
      <input type="hidden" name="token" value={token} />
      <button type="submit">Reenviar</button>
    </form>
  )
}

/** Whether a delivery may be redelivered: it ended, and its subscription is on or it is a test. */
export function mayGoAgain(delivery: Delivery, subscription: { enabled: boolean }): boolean {
  return !isOpen(delivery) && (subscription.enabled || delivery.type === 'manual')
}

/** The form to redeliver everything that failed since some time. */
export function RedeliverMissed({ path, token }: FormProps) {
  return (
    <form method="post" action={`${path}/reenviar`} class="actions">
      <input type="hidden" name="token" value={token} />
      <label for="reenviar-desde">Reenviar, en orden, lo que no llegó en</label>
      <select id="reenviar-desde" name="desde">
        {SPANS.map(([hours, words]) => (
          <option value={String(hours)}>{words}</option>
        ))}
      </select>
      <button type="submit">Reenviar</button>
    </form>
  )
}

export interface RedeliveredProps {
  redelivered: number
  remaining: number
}

/** How many are redelivered. */
export function Redelivered({ redelivered, remaining }: RedeliveredProps) {
  return (
    <div class="standing" role="status">
      <p class={redelivered > 0 ? 'notice good' : 'notice'}>
        {redelivered === 0
          ? 'No hay entregas sin llegar desde entonces.'
          : `${redelivered === 1 ? 'Una entrega sale' : `${redelivered} entregas salen`} otra vez.`}
        {remaining > 0 && ` Quedan ${remaining}: pedilas cuando estas hayan salido.`}
      </p>
    </div>
  )
}

/** The result in a page's address: only numbers, so that nobody can put a text on the page. */
export function redeliveredOf(query: Record<string, string>): RedeliveredProps | null {
  const [redelivered, remaining] = [query['reenviadas'], query['quedan']].map((text) =>
    /^\d{1,6}$/.test(text ?? '') ? Number(text) : null,
  )
  return redelivered == null ? null : { redelivered, remaining: remaining ?? 0 }
}
