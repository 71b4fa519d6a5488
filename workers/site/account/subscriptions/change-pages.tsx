import type { Child } from 'hono/jsx'
import type { StoredSubscription } from '../../../../shared/subscriptions/row.ts'
import { AskingPage } from '../asking-page.tsx'
import type { Frame } from '../frame.ts'
import type { Area } from './area.ts'

export interface ChangePageProps extends Frame {
  area: Area
  subscription: StoredSubscription
  sendsMail: boolean
  problem?: string | undefined
}

export function EditPage(props: ChangePageProps & { values: unknown }) {
  const { area, subscription, sendsMail, problem, values } = props
  const { words, Fields } = area

  return (
    <ChangePage {...props} title={`Editar ${words.the}`} step="editar" submit="Guardar los cambios">
      <Fields
        values={values}
        mayMail={sendsMail || !area.isDelivered(subscription)}
        hasAuthorization={subscription.receiverAuthorizationConfigured}
        describedby={problem ? 'problema' : undefined}
      />
      <p class="hint">{words.editHint(subscription.enabled)}</p>
    </ChangePage>
  )
}

/** Asks before the secret is replaced. */
export function RotatePage(props: ChangePageProps) {
  const { rotateHint } = props.area.words

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
  const title = `Borrar ${props.area.words.the}`

  return (
    <ChangePage {...props} title={title} step="borrar" submit={title} danger>
      <Subject {...props} />
      <p>
        {props.area.words.deleted} <strong>No hay vuelta atrás.</strong>
      </p>
    </ChangePage>
  )
}

function Subject({ area, subscription }: ChangePageProps) {
  return <p class="key-title">{area.name(subscription)}</p>
}

interface FormProps extends ChangePageProps {
  title: string
  step: 'editar' | 'rotar' | 'borrar'
  submit: string
  danger?: boolean
  children?: Child
}

/** Its form has the version of the subscription from which it was made. */
function ChangePage({ area, subscription, step, ...props }: FormProps) {
  const path = `${area.path}/${subscription.id}`
  return (
    <AskingPage
      {...props}
      action={`${path}/${step}`}
      back={path}
      seen={{ version: String(subscription.version) }}
      isWide={step === 'editar'}
      scripts={(step === 'editar' && area.scripts) || []}
    />
  )
}
