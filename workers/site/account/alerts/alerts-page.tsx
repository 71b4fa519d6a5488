import { type Alert, ALERT_LIMIT } from '../../../../shared/alerts/alert.ts'
import { Layout } from '../../layout.tsx'
import { AccountNav } from '../account-nav.tsx'
import type { Frame } from '../frame.ts'
import { Notice } from '../notice.tsx'
import { Problem } from '../webhooks/webhooks-page.tsx'
import { AlertFields } from './alert-fields.tsx'
import { type AlertValues, EMPTY } from './alert-form.ts'
import { alertStateWords, alertTitle } from './alert-words.ts'

export interface AlertsPageProps extends Frame {
  alerts: readonly Alert[]
  admitted: boolean
  /** Of the alert that the form would make: sending it twice makes one. */
  operationId: string
  notice?: string | undefined
  /** Why the alert was not made, and what was typed for it. */
  problem?: string
  values?: AlertValues
}

/** The account's alerts, and the form for another one. */
export function AlertsPage(props: AlertsPageProps) {
  const { email, alerts, admitted, notice } = props

  return (
    <Layout title="Alertas" email={email}>
      <div class="page-head">
        <div>
          <h1>Alertas</h1>
          <p class="muted">Un aviso cuando una cotización cruza el valor que elegís.</p>
        </div>
      </div>
      <AccountNav here="/cuenta/alertas" />
      <Notice code={notice} />
      {!admitted && <ClosedNote />}
      <section class="card" aria-labelledby="lista">
        <div class="card-head">
          <h2 id="lista">Tus alertas</h2>
          <p class="count">
            {alerts.length} de {ALERT_LIMIT}
          </p>
        </div>
        {alerts.length === 0 ? (
          <p class="empty">Todavía no tenés alertas.</p>
        ) : (
          <ul class="keys">
            {alerts.map((alert) => (
              <AlertRow alert={alert} />
            ))}
          </ul>
        )}
      </section>
      <section class="card" aria-labelledby="nueva">
        <h2 id="nueva">Crear una alerta</h2>
        <CreateForm {...props} />
      </section>
    </Layout>
  )
}

export function ClosedNote() {
  return (
    <p class="notice standing">
      Las alertas están en preparación: por ahora no avisan, y no se pueden crear, activar ni
      probar. Las que tengas se pueden ver, pausar, editar y borrar.
    </p>
  )
}

export function AlertTag({ alert }: { alert: Alert }) {
  const { label, tone } = alertStateWords(alert)
  return <span class={`tag ${tone}`}>{label}</span>
}

export function receiverWords({ channel, destination }: Alert): string {
  return channel === 'email' ? 'Por correo' : `Por webhook, hacia ${destination}`
}

function AlertRow({ alert }: { alert: Alert }) {
  const labelled = `alerta-${alert.id}`

  return (
    <li class="key">
      <div class="key-text">
        <p class="key-name" id={labelled}>
          {alertTitle(alert)} <AlertTag alert={alert} />
        </p>
        <p class="key-facts">
          <span class="breakable">{receiverWords(alert)}</span>
        </p>
        <p class="state-note">{alertStateWords(alert).text}</p>
      </div>
      <div class="key-actions">
        <a class="button" href={`/cuenta/alertas/${alert.id}`} aria-describedby={labelled}>
          Administrar
        </a>
      </div>
    </li>
  )
}

function CreateForm(props: AlertsPageProps) {
  const { token, alerts, admitted, operationId, problem, values = EMPTY } = props
  if (alerts.length >= ALERT_LIMIT)
    return (
      <Problem
        text={`Tenés ${alerts.length} alertas, contando las que están en pausa. Para crear otra, borrá alguna`}
        alert={problem !== undefined}
      />
    )
  if (!admitted)
    return (
      <Problem
        text={problem ?? 'Cuando la función esté lista, vas a poder crearlas acá'}
        alert={problem !== undefined}
      />
    )

  return (
    <form method="post" action="/cuenta/alertas" class="create">
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="operacion" value={operationId} />
      {problem !== undefined && <Problem text={problem} alert id="alerta-error" />}
      <AlertFields
        values={values}
        describedby={problem === undefined ? undefined : 'alerta-error'}
      />
      <div class="actions">
        <button type="submit" class="primary">
          Crear alerta
        </button>
      </div>
    </form>
  )
}
