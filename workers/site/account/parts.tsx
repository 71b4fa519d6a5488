/** Parts of the account's pages. */
import { type Child, type JSX, useContext } from 'hono/jsx'
import type { HttpError } from '../../../shared/http-error.ts'
import { CardPage, Layout, type LayoutProps, Session, Tabs } from '../layout.tsx'

const TABS = {
  '/cuenta': 'Claves de API',
  '/cuenta/webhooks': 'Webhooks',
  '/cuenta/alertas': 'Alertas',
} as const

interface TabPageProps extends LayoutProps {
  lead: Child
  /** Beside the title. */
  action?: Child
  here: keyof typeof TABS
  notice: string | undefined
  /** Why a submitted form of the page was refused. */
  refusal: HttpError | undefined
}

/** A page with the navigation of the account area. */
export function TabPage(props: TabPageProps) {
  const { lead, action, here, notice, refusal, children, ...layout } = props
  return (
    <Layout script="account" {...layout}>
      <div class="page-head">
        <div>
          <h1>{layout.title}</h1>
          <p class="muted breakable">{lead}</p>
        </div>
        {action}
      </div>
      <Tabs label="Tu cuenta" links={Object.entries(TABS)} here={here} />
      <Notice code={notice} />
      {refusal && <Problem text={refusal.message} />}
      {children}
    </Layout>
  )
}

const NOTICES: Record<string, string> = {
  revocada: 'La clave quedó revocada: desde ahora no abre nada.',
  'webhook-pausado': 'El webhook quedó en pausa: no le mandamos nada más.',
  'webhook-activado':
    'El webhook quedó activado: le mandamos el valor actual y después cada cambio.',
  'webhook-guardado': 'Guardamos los cambios del webhook.',
  'webhook-borrado': 'El webhook quedó borrado, con su secreto y sus entregas.',
  'webhook-ya-creado':
    'El webhook ya está creado. Su secreto no se muestra otra vez: si no lo copiaste, rotalo.',
  'alerta-creada': 'La alerta quedó creada: te avisamos por correo.',
  'alerta-ya-creada':
    'La alerta ya estaba creada. Su secreto no se muestra otra vez: si no lo copiaste, rotalo.',
  'alerta-por-webhook':
    'Guardamos los cambios de la alerta. Rotá su secreto para verificar los avisos: el que tiene no se mostró nunca.',
  'alerta-pausada': 'La alerta quedó en pausa: no avisa de nada.',
  'alerta-activada': 'La alerta quedó activada.',
  'alerta-guardada': 'Guardamos los cambios de la alerta.',
  'alerta-borrada': 'La alerta quedó borrada.',
  'alerta-probada':
    'La prueba va por correo, en un minuto. Si la cuenta ya tuvo sus diez correos de la hora, va con el próximo.',
  reenviada: 'La entrega sale otra vez.',
  reenviadas: 'Las entregas que no llegaron salen otra vez, en orden.',
  'quedan-por-reenviar':
    'Quedan entregas sin llegar: pedilas cuando hayan salido las que están en espera.',
  'nada-que-reenviar': 'No hay entregas sin llegar desde entonces.',
  'cuenta-borrada': 'Borramos tu cuenta y todo lo que tenía.',
  salida: 'Saliste de tu cuenta.',
  github: 'GitHub no confirmó el acceso. Probá de nuevo o usá tu correo.',
}

/**
 * A message after a redirect. The address holds only the name of the message, so that a link cannot
 * put its own text on the page.
 */
export function Notice({ code = '' }: { code: string | undefined }) {
  return (
    <div aria-live="polite">
      {Object.hasOwn(NOTICES, code) && (
        <p class={code === 'github' ? 'notice bad' : 'notice good'} role="status">
          {NOTICES[code]}
        </p>
      )}
    </div>
  )
}

/** The reason of a refused form. Screen readers announce it at once. */
export function Problem({ text }: { text: string }) {
  return (
    <p class="notice bad standing" role="alert">
      {text}.
    </p>
  )
}

interface SessionFormProps {
  action: string
  /** Further hidden fields. */
  seen?: Readonly<Record<string, string>>
  class?: string
  children: Child
}

/** A form of a session, with its token. */
export function SessionForm({ seen, children, ...form }: SessionFormProps) {
  const { token } = useContext(Session)!
  return (
    <form method="post" {...form}>
      {Object.entries({ token, ...seen }).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  )
}

interface ConfirmedProps extends SessionFormProps {
  /** The text of the summary; also of the form's button if `submit` is absent. */
  label: string
  submit?: string
  danger?: boolean
  /** The id of the element that names what the action changes. */
  describedby?: string
  open?: boolean
}

/** An action with a confirmation: the summary opens the form that submits the action. */
export function Confirmed(props: ConfirmedProps) {
  const { label, submit = label, danger = false, describedby, open, children, ...form } = props
  return (
    <details class="confirmed" open={open}>
      <summary class={danger ? 'button danger' : 'button'} aria-describedby={describedby}>
        {label}
      </summary>
      <SessionForm {...form}>
        {children}
        <button type="submit" class={danger ? 'danger filled' : 'primary'}>
          {submit}
        </button>
      </SessionForm>
    </details>
  )
}

interface FieldProps extends Omit<JSX.IntrinsicElements['input'], 'children'> {
  name: string
  label: Child
  isOptional?: boolean
  help?: Child
  /** Whether the typed value was refused. */
  isRefused?: boolean
}

/** A labelled input with its help. */
export function Field(props: FieldProps) {
  const { name, label, isOptional, help, isRefused, ...attributes } = props
  return (
    <>
      <label for={name}>
        {label}
        {isOptional && <span class="optional"> (opcional)</span>}
      </label>
      <input
        id={name}
        name={name}
        aria-invalid={isRefused ? 'true' : undefined}
        aria-describedby={help ? `${name}-ayuda` : undefined}
        {...attributes}
      />
      {help && (
        <p id={`${name}-ayuda`} class="help">
          {help}
        </p>
      )}
    </>
  )
}

interface SecretPageProps {
  title: string
  /** The name of the key or subscription that has the secret. */
  name: string
  /** Whether the secret replaces an older secret. */
  isRotated: boolean
  /** The texts that can be copied. */
  boxes: readonly { id: string; title: string; text: string; help?: Child }[]
  /** The address of the button that leaves the page. */
  back: string
}

/** The only page that shows a secret. The copy buttons appear only if the page's script runs. */
export function SecretPage({ title, name, isRotated, boxes, back }: SecretPageProps) {
  return (
    <CardPage title={title} size="medium" script="account">
      <p role="status">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        : este es su secreto. {isRotated && 'El anterior ya no sirve. '}
        <strong>Copialo ahora: no lo vamos a mostrar otra vez.</strong>
      </p>
      {boxes.map(({ id, title, text, help }) => (
        <>
          <h2 id={`${id}-titulo`}>{title}</h2>
          <div class="copy-box">
            <code id={id} tabindex={0} role="group" aria-labelledby={`${id}-titulo`}>
              {text}
            </code>
            <button type="button" data-copy={id} aria-describedby={`${id}-titulo`} hidden>
              Copiar
            </button>
            <span class="copied" aria-live="polite" data-copied={id}></span>
          </div>
          {help && <p class="muted">{help}</p>}
        </>
      ))}
      <p>
        <a class="button primary" href={back}>
          Listo, lo guardé
        </a>
      </p>
    </CardPage>
  )
}
