/** Parts of the account's pages. */
import type { Child, JSX } from 'hono/jsx'
import { CardPage, type CardPageProps, Layout, type LayoutProps } from '../layout.tsx'

/** What every page of a session needs: the account, and the token of its forms. */
export interface Frame {
  email: string
  token: string
}

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
}

/** A page with the navigation of the account area. */
export function TabPage(props: TabPageProps) {
  const { lead, action, here, notice, children, ...layout } = props
  return (
    <Layout {...layout}>
      <div class="page-head">
        <div>
          <h1>{layout.title}</h1>
          <p class="muted breakable">{lead}</p>
        </div>
        {action}
      </div>
      <nav class="tabs" aria-label="Tu cuenta">
        {Object.entries(TABS).map(([href, label]) => (
          <a href={href} aria-current={href === here ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <Notice code={notice} />
      {children}
    </Layout>
  )
}

const DONE: Record<string, string> = {
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
  'cuenta-borrada': 'Borramos tu cuenta y todo lo que tenía.',
  salida: 'Saliste de tu cuenta.',
}

const FAILED: Record<string, string> = {
  github: 'GitHub no confirmó el acceso. Probá de nuevo o usá tu correo.',
}

/**
 * A message after a redirect. The address holds only its name, so that nobody can put a text on the
 * page.
 */
export function Notice({ code = '' }: { code: string | undefined }) {
  const [tone, texts] = Object.hasOwn(FAILED, code) ? ['bad', FAILED] : ['good', DONE]
  return (
    <div aria-live="polite">
      {Object.hasOwn(texts, code) && (
        <p class={`notice ${tone}`} role="status">
          {texts[code]}
        </p>
      )}
    </div>
  )
}

interface ProblemProps {
  text: string
  /** Whether it answers a submitted form: then screen readers announce it at once. */
  alert?: boolean
  id?: string
}

/** A sentence in a box. */
export function Problem({ text, alert = true, id }: ProblemProps) {
  return (
    <p id={id} class={alert ? 'notice bad' : 'notice'} role={alert ? 'alert' : undefined}>
      {text}.
    </p>
  )
}

interface SessionFormProps {
  action: string
  token: string
  /** Further hidden fields. */
  seen?: Readonly<Record<string, string>> | undefined
  class?: string
  children: Child
}

/** A form of a session, with its token. */
export function SessionForm({ token, seen, children, ...form }: SessionFormProps) {
  return (
    <form method="post" {...form}>
      {Object.entries({ token, ...seen }).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  )
}

interface FieldProps extends Omit<JSX.IntrinsicElements['input'], 'children'> {
  name: string
  label: Child
  isOptional?: boolean
  hint?: Child
  /** Why what was typed is refused. */
  error?: string | undefined
  /** The id of a further description. */
  describedby?: string | undefined
  /** Beside the input. */
  children?: Child
}

/** A labelled input with its hint and what is wrong with it. */
export function Field(props: FieldProps) {
  const { name, label, isOptional, hint, error, describedby, children, ...attributes } = props
  const descriptions = [hint && `${name}-ayuda`, error && `${name}-error`, describedby]
  const input = (
    <input
      id={name}
      name={name}
      aria-invalid={error ? 'true' : undefined}
      aria-describedby={descriptions.filter(Boolean).join(' ') || undefined}
      {...attributes}
    />
  )
  return (
    <>
      <label for={name}>
        {label}
        {isOptional && <span class="optional"> (opcional)</span>}
      </label>
      {children ? (
        <div class="field-row">
          {input}
          {children}
        </div>
      ) : (
        input
      )}
      {hint && (
        <p id={`${name}-ayuda`} class="hint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${name}-error`} class="field-error" role="alert">
          {error}.
        </p>
      )}
    </>
  )
}

interface AskingPageProps extends Omit<CardPageProps, 'email'>, Frame {
  /** Where the form goes, and where "Cancelar" leads. */
  action: string
  back: string
  submit?: string
  /** Whether what it does cannot be undone. */
  danger?: boolean
  /** Hidden fields: the version from which the form was made. */
  seen?: Readonly<Record<string, string>>
  /** Why the action was refused. */
  problem?: string | undefined
}

/** A page with one form, to confirm an action. */
export function AskingPage(props: AskingPageProps) {
  const { token, action, back, submit = props.title, danger, seen, problem, ...card } = props
  return (
    <CardPage {...card}>
      {problem && <Problem text={problem} id="problema" />}
      <SessionForm {...{ action, token, seen }}>
        {props.children}
        <div class="actions">
          <button type="submit" class={danger ? 'danger filled' : 'primary'}>
            {submit}
          </button>
          <a class="button" href={back}>
            Cancelar
          </a>
        </div>
      </SessionForm>
    </CardPage>
  )
}

interface SecretPageProps extends Pick<Frame, 'email'> {
  title: string
  /** Whose secret it is, and that it is shown once. */
  lead: Child
  /** Texts to copy; `what` is for screen readers: "la clave". */
  boxes: readonly { id: string; title: string; text: string; what: string; hint?: Child }[]
  /** Where its button leads, and what that says. */
  back: string
  done: string
}

/** The one page that shows a secret. Its buttons appear only where copy.js runs. */
export function SecretPage({ email, title, lead, boxes, back, done }: SecretPageProps) {
  return (
    <CardPage title={title} size="medium" email={email} scripts={['copy.js']}>
      <p role="status">{lead}</p>
      {boxes.map(({ id, title, text, what, hint }) => (
        <>
          <h2 class="label" id={`${id}-titulo`}>
            {title}
          </h2>
          <div class="copy-box">
            <code id={id} tabindex={0} role="group" aria-labelledby={`${id}-titulo`}>
              {text}
            </code>
            <button type="button" data-copy={id} hidden>
              Copiar<span class="visually-hidden"> {what}</span>
            </button>
            <span class="copied" aria-live="polite" data-copied={id}></span>
          </div>
          {hint && <p class="muted">{hint}</p>}
        </>
      ))}
      <p>
        <a class="button primary" href={back}>
          {done}
        </a>
      </p>
    </CardPage>
  )
}
