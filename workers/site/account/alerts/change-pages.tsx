import type { Alert } from '../../../../shared/alerts/alert.ts'
import { Layout } from '../../layout.tsx'
import { FormActions } from '../form-actions.tsx'
import type { Frame } from '../frame.ts'
import { Problem } from '../webhooks/webhooks-page.tsx'
import { AlertFields } from './alert-fields.tsx'
import type { AlertValues } from './alert-form.ts'
import { alertTitle } from './alert-words.ts'

export interface ChangePageProps extends Frame {
  alert: Alert
  problem?: string | undefined
}

export function EditAlertPage(props: ChangePageProps & { values: AlertValues }) {
  return (
    <ChangePage {...props} title="Editar la alerta" step="editar" submit="Guardar los cambios">
      <AlertFields
        values={props.values}
        hasAuthorization={props.alert.receiverAuthorizationConfigured}
        describedby={props.problem ? 'problema' : undefined}
      />
      <p class="hint">Si cambia lo que mira, empieza de nuevo.</p>
    </ChangePage>
  )
}

/** Asks before the secret is replaced. */
export function RotateAlertPage(props: ChangePageProps) {
  return (
    <ChangePage {...props} title="Rotar el secreto" step="rotar" submit="Rotar el secreto">
      <p class="key-title">{alertTitle(props.alert)}</p>
      <p>
        Te damos un secreto nuevo y <strong>el actual deja de servir en el acto</strong>.
      </p>
    </ChangePage>
  )
}

export function DeleteAlertPage(props: ChangePageProps) {
  return (
    <ChangePage {...props} title="Borrar la alerta" step="borrar" submit="Borrar la alerta" danger>
      <p class="key-title">{alertTitle(props.alert)}</p>
      <p>
        Se borran para siempre su configuración y sus entregas.{' '}
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

/** A page with one form, which says which version of the alert it was made from. */
function ChangePage(props: FormProps) {
  const { email, token, alert, problem, title, step, submit, danger, children } = props

  return (
    <Layout title={title} email={email}>
      <section class={step === 'editar' ? 'card medium' : 'card narrow'}>
        <h1>{title}</h1>
        {problem && <Problem text={problem} alert id="problema" />}
        <form method="post" action={`/cuenta/alertas/${alert.id}/${step}`}>
          <input type="hidden" name="token" value={token} />
          <input type="hidden" name="version" value={String(alert.version)} />
          {children}
          <FormActions
            submit={submit}
            danger={danger === true}
            back={`/cuenta/alertas/${alert.id}`}
          />
        </form>
      </section>
    </Layout>
  )
}
