import { pairKey } from '../../../../shared/market/catalog.ts'
import type { Webhook } from '../../../../shared/webhooks/webhook.ts'
import { Layout } from '../../layout.tsx'
import { FormActions } from '../form-actions.tsx'
import type { Frame } from '../frame.ts'
import { WebhookFields, type WebhookValues } from './webhook-fields.tsx'
import { Problem } from './webhooks-page.tsx'

export interface ChangePageProps extends Frame {
  webhook: Webhook
  problem?: string | undefined
}

export function EditWebhookPage(props: ChangePageProps & { values: WebhookValues }) {
  const { webhook, problem, values } = props

  return (
    <ChangePage {...props} title="Editar el webhook" step="editar" submit="Guardar los cambios">
      <WebhookFields
        values={values}
        hasAuthorization={webhook.receiverAuthorizationConfigured}
        describedby={problem ? 'problema' : undefined}
      />
      <p class="hint">
        Al cambiar algo se cancelan los envíos que esperan
        {webhook.enabled && ' y mandamos el valor actual'}. El secreto sigue siendo el mismo.
      </p>
    </ChangePage>
  )
}

/** Asks before the secret is replaced. */
export function RotateWebhookPage(props: ChangePageProps) {
  return (
    <ChangePage {...props} title="Rotar el secreto" step="rotar" submit="Rotar el secreto">
      <WebhookTitle webhook={props.webhook} />
      <p>
        Te damos un secreto nuevo y <strong>el actual deja de servir en el acto</strong>. Lo que
        esté por salir va firmado con el nuevo.
      </p>
    </ChangePage>
  )
}

export function DeleteWebhookPage(props: ChangePageProps) {
  return (
    <ChangePage
      {...props}
      title="Borrar el webhook"
      step="borrar"
      submit="Borrar el webhook"
      danger
    >
      <WebhookTitle webhook={props.webhook} />
      <p>
        Se borran para siempre su configuración, su secreto y sus entregas.{' '}
        <strong>No hay vuelta atrás.</strong>
      </p>
    </ChangePage>
  )
}

interface FormProps extends ChangePageProps {
  title: string
  step: 'editar' | 'rotar' | 'borrar'
  submit: string
  danger?: boolean
  children?: unknown
}

/** A page with one form, which says which version of the webhook it was made from. */
function ChangePage(props: FormProps) {
  const { email, token, webhook, problem, title, step, submit, danger, children } = props

  return (
    <Layout title={title} email={email}>
      <section class={step === 'editar' ? 'card medium' : 'card narrow'}>
        <h1>{title}</h1>
        {problem && <Problem text={problem} alert id="problema" />}
        <form method="post" action={`/cuenta/webhooks/${webhook.id}/${step}`}>
          <input type="hidden" name="token" value={token} />
          <input type="hidden" name="version" value={String(webhook.version)} />
          {children}
          <FormActions
            submit={submit}
            danger={danger === true}
            back={`/cuenta/webhooks/${webhook.id}`}
          />
        </form>
      </section>
    </Layout>
  )
}

function WebhookTitle({ webhook }: { webhook: Webhook }) {
  return (
    <p class="key-title">
      <strong>{webhook.pair.name}</strong> <code>{pairKey(webhook.pair)}</code>{' '}
      <span class="breakable">{webhook.destination}</span>
    </p>
  )
}
