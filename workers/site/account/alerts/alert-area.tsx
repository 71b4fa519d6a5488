import { valueWords, watchedWords } from '../../../../shared/alerts/alert-words.ts'
import { wantedOf } from '../../../../shared/alerts/watch.ts'
import { alerts, type NewAlert, type StoredAlert } from '../../../../shared/subscriptions/alerts.ts'
import { priceToNumber } from '../../../../shared/market/price.ts'
import { alertNotFound } from '../../errors.ts'
import type { Area } from '../subscriptions/area.ts'
import { AlertFields } from './alert-fields.tsx'
import {
  type AlertValues,
  EMPTY,
  typedAlert,
  valuesOf,
  wantedTarget,
  wantedWatch,
} from './alert-form.ts'
import { alertState, alertTitle } from './alert-words.ts'

/** `/cuenta/alertas`. */
export const alertArea: Area<StoredAlert, AlertValues, NewAlert> = {
  kind: alerts,
  path: '/cuenta/alertas',
  notFound: alertNotFound,
  words: {
    slug: 'alerta',
    end: 'a',
    plural: 'Alertas',
    the: 'la alerta',
    of: 'de la alerta',
    back: 'Volver a las alertas',
    intro: 'Un aviso cuando una cotización cruza el valor que elegís.',
    create: 'Crear una alerta',
    submit: 'Crear alerta',
    created: 'Alerta creada',
    changed: 'La alerta cambió mientras tanto y no hicimos nada',
    full: (count) =>
      `Tenés ${count} alertas, contando las que están en pausa. Para crear otra, borrá alguna`,
    closed:
      'Las alertas están en preparación: por ahora no avisan, y no se pueden crear, activar ni probar. Las que tengas se pueden ver, pausar, editar y borrar.',
    automatic: 'Aviso',
    editHint: () => 'Si cambia lo que mira, empieza de nuevo.',
    deleted: 'Se borran para siempre su configuración y sus entregas.',
  },
  empty: EMPTY,
  Fields: AlertFields,
  scripts: ['alert-form.js'],
  typed(fields) {
    const values = typedAlert(fields)
    const wanted = { ...wantedWatch(values), ...wantedTarget(values) }
    return { values, wanted, hasCredential: wanted.channel === 'webhook' }
  },
  valuesOf,
  name: alertTitle,
  heading: alertTitle,
  title: () => 'Alerta',
  target: targetOf,
  longTarget: targetOf,
  state: alertState,
  canActivate: ({ enabled, phase }) => !enabled || phase === 'done',
  isDelivered: ({ channel }) => channel === 'webhook',
  more: (alert) => (
    <p class="state-note">
      {alertState(alert).text} {nowWords(alert)}
    </p>
  ),
  createdNotice: ({ channel }) => (channel === 'email' ? 'alerta-creada' : 'alerta-ya-creada'),
  // The secret of an alert that went by e-mail was never shown.
  savedNotice: (before, after) =>
    before.channel === 'email' && after.channel === 'webhook'
      ? 'alerta-por-webhook'
      : 'alerta-guardada',
}

function targetOf({ channel, destination }: StoredAlert): string {
  return channel === 'email' ? 'Por correo' : `Por webhook, hacia ${destination}`
}

function nowWords(alert: StoredAlert): string {
  if (!alert.now) return 'Todavía no tenemos esa cotización.'
  const watch = wantedOf(alert)
  return `Ahora ${watchedWords(watch)} está en ${valueWords(watch, priceToNumber(alert.now.value))}.`
}
