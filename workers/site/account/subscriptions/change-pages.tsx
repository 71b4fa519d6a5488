import type { Child } from 'hono/jsx'
import type { Subscription } from '../../../../shared/webhooks/webhook.ts'
import { AskingPage } from '../asking-page.tsx'
import type { Frame } from '../frame.ts'
import type { View } from './area.ts'

export interface ChangePageProps extends Frame {
  view: View
  subscription: Subscription
  problem?: string | undefined
}

export function EditPage(props: ChangePageProps & { values: unknown }) {
  const { view, subscription, problem, values } = props
  const { words, Fields } = view

  return (
    <ChangePage {...props} title={`Editar ${words.the}`} step="editar" submit="Guardar los cambios">
      <Fields
        values={values}
        hasAuthorization={subscription.receiverAuthorizationConfigured}
        describedby={problem ? 'problema' : undefined}
      />
      <p class="hint">{words.editHint(subscription.enabled)}</p>
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

function Subject({ view, subscription }: ChangePageProps) {
  return <p class="key-title">{view.name(subscription)}</p>
}

interface FormProps extends ChangePageProps {
  title: string
  step: 'editar' | 'rotar' | 'borrar'
  submit: string
  danger?: boolean
  children?: Child
}

/** Its form has the version of the subscription from which it was made. */
function ChangePage({ view, subscription, step, ...props }: FormProps) {
  const path = `${view.path}/${subscription.id}`
  return (
    <AskingPage
      {...props}
      action={`${path}/${step}`}
      back={path}
      seen={{ version: String(subscription.version) }}
      isWide={step === 'editar'}
      scripts={(step === 'editar' && view.scripts) || []}
    />
  )
}
