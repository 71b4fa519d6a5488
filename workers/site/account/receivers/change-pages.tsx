import type { Child } from 'hono/jsx'
import type { Receiver } from '../../../../shared/webhooks/webhook.ts'
import { Layout } from '../../layout.tsx'
import { FormActions } from '../form-actions.tsx'
import type { Frame } from '../frame.ts'
import type { View } from './area.ts'
import { Problem } from './problem.tsx'

export interface ChangePageProps extends Frame {
  view: View
  receiver: Receiver
  problem?: string | undefined
}

export function EditPage(props: ChangePageProps & { values: unknown }) {
  const { view, receiver, problem, values } = props
  const { words, Fields } = view

  return (
    <ChangePage {...props} title={`Editar ${words.the}`} step="editar" submit="Guardar los cambios">
      <Fields
        values={values}
        hasAuthorization={receiver.receiverAuthorizationConfigured}
        describedby={problem ? 'problema' : undefined}
      />
      <p class="hint">{words.editHint(receiver.enabled)}</p>
    </ChangePage>
  )
}

/** Asks before the secret is replaced. */
export function RotatePage(props: ChangePageProps) {
  const { rotateHint } = props.view.words

  return (
    <ChangePage {...props} title="Rotar el secreto" step="rotar" submit="Rotar el secreto">
      <Subject {...props} />
      <p>
        Te damos un secreto nuevo y <strong>el actual deja de servir en el acto</strong>.
        {rotateHint && ` ${rotateHint}`}
      </p>
    </ChangePage>
  )
}

export function DeletePage(props: ChangePageProps) {
  const title = `Borrar ${props.view.words.the}`

  return (
    <ChangePage {...props} title={title} step="borrar" submit={title} danger>
      <Subject {...props} />
      <p>
        {props.view.words.deleted} <strong>No hay vuelta atrás.</strong>
      </p>
    </ChangePage>
  )
}

function Subject({ view, receiver }: ChangePageProps) {
  return <p class="key-title">{view.name(receiver)}</p>
}

interface FormProps extends ChangePageProps {
  title: string
  step: 'editar' | 'rotar' | 'borrar'
  submit: string
  danger?: boolean
  children?: Child
}

/** A page with one form, which says which version of the receiver it was made from. */
function ChangePage(props: FormProps) {
  const { email, token, view, receiver, problem, title, step, submit, danger, children } = props
  const path = `${view.path}/${receiver.id}`

  return (
    <Layout title={title} email={email} scripts={(step === 'editar' && view.scripts) || []}>
      <section class={step === 'editar' ? 'card medium' : 'card narrow'}>
        <h1>{title}</h1>
        {problem && <Problem text={problem} alert id="problema" />}
        <form method="post" action={`${path}/${step}`}>
          <input type="hidden" name="token" value={token} />
          <input type="hidden" name="version" value={String(receiver.version)} />
          {children}
          <FormActions submit={submit} danger={danger === true} back={path} />
        </form>
      </section>
    </Layout>
  )
}
