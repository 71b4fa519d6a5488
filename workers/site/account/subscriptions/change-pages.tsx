import type { Child } from 'hono/jsx'
import type { StoredSubscription } from '../../../../shared/subscriptions/row.ts'
import { AskingPage } from '../asking-page.tsx'
import type { Frame } from '../frame.ts'
import { SecretPage } from '../secret-page.tsx'
import { standardSecret } from '../../../../shared/webhooks/webhook.ts'
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

interface IssuedProps extends Frame {
  area: Area
  subscription: StoredSubscription
  secret: string
  /** Whether the subscription existed before. */
  isRotated?: boolean
}

export function IssuedPage({ email, area, subscription, secret, isRotated }: IssuedProps) {
  const lead = (
    <>
      Este es el secreto {area.words.of} <strong>{area.name(subscription)}</strong>.{' '}
      {isRotated && 'El anterior ya no sirve. '}
      <strong>Copialo ahora: no lo vamos a mostrar otra vez.</strong>
    </>
  )
  const use = (
    <>
      Con él tu servidor verifica el encabezado <code>X-Service-Signature</code> de cada envío. Se
      usa como texto, con sus 64 caracteres.
    </>
  )
  const libraries = (
    <>
      Así lo toman <a href="/docs/webhooks">sus bibliotecas</a>, que verifican{' '}
      <code>webhook-signature</code>.
    </>
  )
  return (
    <SecretPage
      email={email}
      title={isRotated ? 'Secreto rotado' : area.words.created}
      lead={lead}
      boxes={[
        { id: 'secreto', title: 'Secreto', text: secret, what: 'el secreto', hint: use },
        {
          id: 'estandar',
          title: 'El mismo, para Standard Webhooks',
          text: standardSecret(secret),
          what: 'el de Standard Webhooks',
          hint: libraries,
        },
      ]}
      back={`${area.path}/${subscription.id}`}
      done="Listo, lo guardé"
    />
  )
}
