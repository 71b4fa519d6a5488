/** The pages of subscriptions: the list of a kind, one of them, and its changes. */
import type { Child } from 'hono/jsx'
import type { Delivery, DeliveryPage } from '../../../../shared/subscriptions/deliveries.ts'
import type { StoredSubscription } from '../../../../shared/subscriptions/row.ts'
import { standardSecret } from '../../../../shared/webhooks/webhook.ts'
import type { Fields } from '../../context.ts'
import { AskingPage, type Frame, Problem, SecretPage, SessionForm, TabPage } from '../parts.tsx'
import type { Area, StateWords } from './area.ts'
import { DeliveryList, Redelivered, type RedeliveredProps, TestResult } from './deliveries.tsx'

/** `Webhook`, `Alerta`; the rest of their words follows from the end. */
const capital = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}`
const withArticle = ({ slug, end }: Area) => `${end === 'a' ? 'la' : 'el'} ${slug}`

interface ListPageProps extends Frame {
  area: Area
  subscriptions: readonly StoredSubscription[]
  admitted: boolean
  sendsMail: boolean
  /** Submitting the form twice creates one subscription. */
  operationId: string
  notice: string | undefined
  /** Why nothing was created, and what was typed. */
  problem: string | undefined
  values: Fields
}

/** The account's subscriptions of a kind, and the form for another one. */
export function ListPage(props: ListPageProps) {
  const { email, area, subscriptions, admitted, notice } = props
  const { slug, end, intro, path, scripts, kind } = area
  return (
    <TabPage title={capital(`${slug}s`)} lead={intro} here={path} {...{ email, notice, scripts }}>
      {!admitted && <Closed area={area} />}
      <section class="card" aria-labelledby="lista">
        <div class="card-head">
          <h2 id="lista">Tus {slug}s</h2>
          <p class="count">
            {subscriptions.length} de {kind.limit}
          </p>
        </div>
        {subscriptions.length === 0 ? (
          <p class="empty">Todavía no tenés {slug}s.</p>
        ) : (
          <ul class="keys">
            {subscriptions.map((subscription) => (
              <Row area={area} subscription={subscription} />
            ))}
          </ul>
        )}
      </section>
      <section class="card" aria-labelledby="crear">
        <h2 id="crear">{`Crear un${end === 'a' ? 'a' : ''} ${slug}`}</h2>
        <CreateForm {...props} />
      </section>
    </TabPage>
  )
}

function Closed({ area: { slug, end } }: { area: Area }) {
  return (
    <p class="notice standing">
      {`L${end}s ${slug}s están en preparación: por ahora no avisan, y no se pueden crear, activar ni probar. L${end}s que tengas se pueden ver, pausar, editar y borrar.`}
    </p>
  )
}

function Row({ area, subscription }: { area: Area; subscription: StoredSubscription }) {
  const labelled = `${area.slug}-${subscription.id}`
  const { name, target, state } = area.show(subscription)
  return (
    <li class="key">
      <div class="key-text">
        <p class="key-name" id={labelled}>
          {name} <StateTag {...state} />
        </p>
        <p class="key-facts">
          <span class="breakable">{target}</span>
        </p>
        <p class="state-note">{state.text}</p>
      </div>
      <div class="key-actions">
        <a class="button" href={`${area.path}/${subscription.id}`} aria-describedby={labelled}>
          Administrar
        </a>
      </div>
    </li>
  )
}

function StateTag({ label, tone }: StateWords) {
  return <span class={`tag ${tone}`}>{label}</span>
}

function CreateForm(props: ListPageProps) {
  const { token, area, subscriptions, admitted, operationId, problem, values, sendsMail } = props
  const { path, kind, slug, end, Fields } = area
  const count = subscriptions.length
  if (count >= kind.limit || !admitted) {
    const full = `Tenés ${count} ${slug}s, contando l${end}s que están en pausa. Para crear otr${end}, borrá hasta que queden menos de ${kind.limit}`
    const soon = `Cuando la función esté lista, vas a poder crearl${end}s acá`
    const text = count >= kind.limit ? full : (problem ?? soon)
    return <Problem text={text} alert={problem !== undefined} />
  }

  const describedby = problem && 'problema'
  return (
    <SessionForm action={path} token={token} seen={{ operacion: operationId }} class="create">
      {problem && <Problem text={problem} id="problema" />}
      <Fields mayMail={sendsMail} isNew hasAuthorization={false} {...{ values, describedby }} />
      <div class="actions">
        <button type="submit" class="primary">
          Crear {slug}
        </button>
      </div>
    </SessionForm>
  )
}

/** What the pages of one subscription need. */
export interface OneProps extends Frame {
  area: Area
  subscription: StoredSubscription
  problem: string | undefined
}

interface OnePageProps extends OneProps {
  admitted: boolean
  page: DeliveryPage
  /** The test that was just sent. */
  test: Delivery | undefined
  /** What was just requested again. */
  redelivered: RedeliveredProps | null
  notice: string | undefined
}

/** One subscription: its state, its actions, and its last deliveries. */
export function OnePage(props: OnePageProps) {
  const { email, token, area, subscription, page, problem, test, redelivered, notice } = props
  const { name, target, state, more, isDelivered } = area.show(subscription)
  const { automatic, end, slug } = area
  const { enabled } = subscription
  const path = `${area.path}/${subscription.id}`
  const scripts = ['test-result.js']
  return (
    <TabPage title={name} lead={target} here={area.path} {...{ email, notice, scripts }}>
      {problem && (
        <div class="standing">
          <Problem text={problem} />
        </div>
      )}
      {!props.admitted && <Closed area={area} />}
      {test && <TestResult test={test} path={path} />}
      {redelivered && <Redelivered {...redelivered} />}
      <section class="card" aria-labelledby="estado">
        <div class="card-head">
          <h2 id="estado">Estado</h2>
          <StateTag {...state} />
        </div>
        <p class="state-note">{state.text}</p>
        <p class="muted">{more}</p>
        <Actions {...props} />
      </section>
      {isDelivered && (
        <section class="card" aria-labelledby="entregas">
          <h2 id="entregas">Últimas entregas</h2>
          <DeliveryList {...page} {...{ path, token, automatic, enabled }} />
        </section>
      )}
      <p class="back">
        <a href={area.path}>{`Volver a l${end}s ${slug}s`}</a>
      </p>
    </TabPage>
  )
}

function Actions({ token, area, subscription }: OneProps) {
  const { canActivate, isDelivered } = area.show(subscription)
  const path = `${area.path}/${subscription.id}`
  const seen = { version: String(subscription.version) }
  const button = (step: string, label: string, kind?: string) => (
    <SessionForm action={`${path}/${step}`} {...{ token, seen }}>
      <button type="submit" class={kind}>
        {label}
      </button>
    </SessionForm>
  )
  const link = (step: string, label: string, kind = '') => (
    <a class={`button ${kind}`} href={`${path}/${step}`}>
      {label}
    </a>
  )
  return (
    <div class="actions">
      {subscription.enabled && button('pausar', 'Pausar')}
      {canActivate && button('activar', 'Activar', 'primary')}
      {button('probar', 'Mandar una prueba')}
      {link('editar', 'Editar')}
      {isDelivered && link('rotar', 'Rotar el secreto')}
      {link('borrar', 'Borrar…', 'danger')}
    </div>
  )
}

export function EditPage(props: OneProps & { sendsMail: boolean; values: Fields }) {
  const { area, subscription, sendsMail, problem, values } = props
  const { Fields, scripts, editHint } = area
  const title = `Editar ${withArticle(area)}`
  return (
    <ChangePage {...{ ...props, title, scripts }} step="editar" submit="Guardar los cambios">
      <Fields
        isNew={false}
        mayMail={sendsMail || !area.show(subscription).isDelivered}
        hasAuthorization={subscription.receiverAuthorizationConfigured}
        values={values}
        describedby={problem && 'problema'}
      />
      <p class="hint">{editHint}</p>
    </ChangePage>
  )
}

/** Asks before the secret is replaced. */
export function RotatePage(props: OneProps) {
  return (
    <ChangePage {...props} title="Rotar el secreto" step="rotar">
      <Subject {...props} />
      <p>
        Te damos un secreto nuevo y <strong>el actual deja de servir en el acto</strong>. Lo que
        esté por salir va firmado con el nuevo.
      </p>
    </ChangePage>
  )
}

export function DeletePage(props: OneProps) {
  return (
    <ChangePage {...props} title={`Borrar ${withArticle(props.area)}`} step="borrar" danger>
      <Subject {...props} />
      <p>
        Se borran para siempre su configuración, su secreto y sus entregas.{' '}
        <strong>No hay vuelta atrás.</strong>
      </p>
    </ChangePage>
  )
}

function Subject({ area, subscription }: OneProps) {
  const { name, target } = area.show(subscription)
  return (
    <>
      <p class="key-title">{name}</p>
      <p class="muted breakable">{target}</p>
    </>
  )
}

interface FormProps extends OneProps {
  title: string
  step: 'editar' | 'rotar' | 'borrar'
  submit?: string
  danger?: boolean
  scripts?: readonly string[]
  children: Child
}

/** Its form has the version of the subscription from which it was made. */
function ChangePage({ area, subscription, step, ...props }: FormProps) {
  const path = `${area.path}/${subscription.id}`
  const seen = { version: String(subscription.version) }
  const size = step === 'editar' ? 'medium' : 'narrow'
  return <AskingPage {...props} {...{ seen, size }} action={`${path}/${step}`} back={path} />
}

interface IssuedProps extends Omit<OneProps, 'problem'> {
  secret: string
  isRotated?: boolean
}

export function IssuedPage({ email, area, subscription, secret, isRotated }: IssuedProps) {
  const { slug, end, path } = area
  const lead = (
    <>
      <strong>{area.show(subscription).name}</strong>: este es su secreto.{' '}
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
      title={isRotated ? 'Secreto rotado' : `${capital(slug)} cread${end}`}
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
      back={`${path}/${subscription.id}`}
      done="Listo, lo guardé"
    />
  )
}
