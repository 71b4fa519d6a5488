import { pairKey } from '../../../../shared/market/catalog.ts'
import { type Webhook, WEBHOOK_LIMIT } from '../../../../shared/webhooks/webhook.ts'
import { Layout } from '../../layout.tsx'
import { AccountNav } from '../account-nav.tsx'
import type { Frame } from '../frame.ts'
import { Notice } from '../notice.tsx'
import { StateNote, StateTag } from './state-note.tsx'
import { WebhookFields, type WebhookValues } from './webhook-fields.tsx'

export interface WebhooksPageProps extends Frame {
  webhooks: readonly Webhook[]
  admitted: boolean
  /** The operation id of the form's webhook: sending the form twice makes one. */
  operationId: string
  notice?: string | undefined
  /** Why the webhook was not made, and what was typed for it. */
  problem?: string
  values?: WebhookValues
}

/** The account's webhooks, and the form for another one. */
export function WebhooksPage(props: WebhooksPageProps) {
  const { email, webhooks, admitted, notice } = props

  return (
    <Layout title="Webhooks" email={email}>
      <div class="page-head">
        <div>
          <h1>Webhooks</h1>
          <p class="muted">Un aviso firmado en tu servidor cada vez que cambia una cotización.</p>
        </div>
      </div>
      <AccountNav here="/cuenta/webhooks" />
      <Notice code={notice} />
      {!admitted && <ClosedNote />}
      <section class="card" aria-labelledby="lista">
        <div class="card-head">
          <h2 id="lista">Tus webhooks</h2>
          <p class="count">
            {webhooks.length} de {WEBHOOK_LIMIT}
          </p>
        </div>
        {webhooks.length === 0 ? (
          <p class="empty">Todavía no tenés webhooks.</p>
        ) : (
          <ul class="keys">
            {webhooks.map((webhook) => (
              <WebhookRow webhook={webhook} />
            ))}
          </ul>
        )}
      </section>
      <section class="card" aria-labelledby="nuevo">
        <h2 id="nuevo">Crear un webhook</h2>
        <CreateForm {...props} />
      </section>
    </Layout>
  )
}

export function ClosedNote() {
  return (
    <p class="notice standing">
      Los webhooks están en preparación: por ahora no mandamos avisos, y no se pueden crear, activar
      ni probar. Los que tengas se pueden ver, pausar, editar y borrar.
    </p>
  )
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { id, pair, destination } = webhook
  const labelled = `webhook-${id}`

  return (
    <li class="key">
      <div class="key-text">
        <p class="key-name" id={labelled}>
          {pair.name} <code>{pairKey(pair)}</code> <StateTag webhook={webhook} />
        </p>
        <p class="key-facts">
          <span class="breakable">{destination}</span>
        </p>
        <StateNote webhook={webhook} />
      </div>
      <div class="key-actions">
        <a class="button" href={`/cuenta/webhooks/${id}`} aria-describedby={labelled}>
          Administrar
        </a>
      </div>
    </li>
  )
}

function CreateForm({
  token,
  webhooks,
  admitted,
  operationId,
  problem,
  values,
}: WebhooksPageProps) {
  if (webhooks.length >= WEBHOOK_LIMIT)
    return (
      <Problem
        text={`Tenés ${webhooks.length} webhooks, contando los que están en pausa. Para crear otro, borrá hasta que queden menos de ${WEBHOOK_LIMIT}`}
        alert={problem !== undefined}
      />
    )
  if (!admitted)
    return (
      <Problem
        text={problem ?? 'Cuando la función esté lista, vas a poder crearlos acá'}
        alert={problem !== undefined}
      />
    )

  return (
    <form method="post" action="/cuenta/webhooks" class="create">
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="operacion" value={operationId} />
      {problem !== undefined && <Problem text={problem} alert id="webhook-error" />}
      <WebhookFields
        values={values ?? { par: 'USD/BLUE', url: '' }}
        describedby={problem === undefined ? undefined : 'webhook-error'}
      />
      <label class="check">
        <input type="checkbox" name="pausado" value="si" /> Crearlo en pausa
      </label>
      <div class="actions">
        <button type="submit" class="primary">
          Crear webhook
        </button>
      </div>
    </form>
  )
}

export interface ProblemProps {
  text: string
  alert: boolean
  id?: string
}

/** A sentence in a box. Screen readers announce it at once when it answers a submitted form. */
export function Problem({ text, alert, id }: ProblemProps) {
  return (
    <p id={id} class={alert ? 'notice bad' : 'notice'} role={alert ? 'alert' : undefined}>
      {text}.
    </p>
  )
}
