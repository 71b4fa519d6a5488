/** The pages of subscriptions: the list of a kind, a subscription, and the form that edits it. */
import { setting } from '../../../../shared/config/config.ts'
import { openKeyring } from '../../../../shared/crypto/sealed-box.ts'
import { randomUuid } from '../../../../shared/crypto/random.ts'
import { isAdmissionOpen } from '../../../../shared/subscriptions/context.ts'
import { type DeliveryQuery, listDeliveries } from '../../../../shared/db/deliveries/list.ts'
import { openField } from '../../../../shared/subscriptions/sealed-fields.ts'
import { standardSecret } from '../../../../shared/webhooks/webhook.ts'
import type { Deps } from '../../context.ts'
import { HttpError } from '../../../../shared/http-error.ts'
import { Card, CardPage } from '../../layout.tsx'
import { Confirmed, Problem, SecretPage, SessionForm, TabPage } from '../parts.tsx'
import type { Area, Here, Shown, StateWords } from './area.tsx'
import { DeliveryList, TestResult } from './deliveries.tsx'

const DELIVERIES_SHOWN = 10

/** `Webhook`, `Alerta`. */
const capital = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}`
const withArticle = ({ slug, end }: Area) => `${end === 'a' ? 'la' : 'el'} ${slug}`

/** The account's subscriptions of a kind, and the form that creates another. */
export async function listPage(c: Here, { now, random }: Deps, area: Area, refusal?: HttpError) {
  const { slug, end, intro, path, limit } = area
  const subscriptions = await area.list(c.env.DB, c.var.signedIn.accountId, now())
  const title = capital(`${slug}s`)
  const notice = c.req.query('aviso')
  return (
    <TabPage here={path} lead={intro} {...{ title, notice, refusal }}>
      {closedNotice(c, area)}
      <Card id="lista" title={`Tus ${slug}s`} aside={`${subscriptions.length} de ${limit}`}>
        {subscriptions.length === 0 ? (
          <p class="empty">Todavía no tenés {slug}s.</p>
        ) : (
          <ul class="keys">{subscriptions.map((subscription) => row(area, subscription))}</ul>
        )}
      </Card>
      <Card id="crear" title={`Crear un${end === 'a' ? 'a' : ''} ${slug}`}>
        {createForm(c, random, area, subscriptions.length)}
      </Card>
    </TabPage>
  )
}

function closedNotice({ env }: Pick<Here, 'env'>, { slug, end }: Area) {
  if (isAdmissionOpen(env)) return null
  return (
    <p class="notice standing">
      {`L${end}s ${slug}s están en preparación: por ahora no avisan, y no se pueden crear, activar ni probar. L${end}s que tengas se pueden ver, pausar, editar y borrar.`}
    </p>
  )
}

function row({ slug, path }: Area, { name, target, state, stored: { id } }: Shown) {
  const labelled = `${slug}-${id}`
  return (
    <li class="key">
      <div class="key-text">
        <p class="key-name" id={labelled}>
          {name} <StateTag {...state} />
        </p>
        <p class="key-facts">
          <span class="breakable">{target}</span>
        </p>
        <p>{state.text}</p>
      </div>
      <div class="key-actions">
        <a class="button" href={`${path}/${id}`} aria-describedby={labelled}>
          Administrar
        </a>
      </div>
    </li>
  )
}

function StateTag({ label, tone }: StateWords) {
  return <span class={`tag ${tone}`}>{label}</span>
}

/** The form has an operation id, so that submitting it twice creates one subscription. */
function createForm(c: Here, random: Deps['random'], area: Area, count: number) {
  const { path, limit, slug, end, Fields, empty } = area
  const full = `Tenés ${count} ${slug}s, contando l${end}s que están en pausa. Para crear otr${end}, borrá hasta que queden menos de ${limit}.`
  if (count >= limit) return <p class="notice">{full}</p>
  if (!isAdmissionOpen(c.env))
    return <p class="notice">{`Cuando la función esté lista, vas a poder crearl${end}s acá.`}</p>

  const { fields } = c.var
  const seen = { operacion: fields['operacion'] ?? randomUuid(random) }
  const values = 'par' in fields ? fields : empty
  return (
    <SessionForm action={path} seen={seen}>
      <Fields values={values} isNew hasAuthorization={false} mayMail={sendsMail(c)} />
      <button type="submit" class="primary">
        Crear {slug}
      </button>
    </SessionForm>
  )
}

const sendsMail = ({ env }: Pick<Here, 'env'>) => setting(env, 'MAIL_FROM') !== undefined

/** One subscription: its state, its actions, and its last deliveries. */
export async function onePage(c: Here, area: Area, refusal?: HttpError) {
  const { accountId } = c.var.signedIn
  const { name, target, state, more, isDelivered, stored } = c.var.subscription
  const { id, enabled } = stored
  const path = `${area.path}/${id}`
  const { desde = '', prueba, aviso: notice } = c.req.query()
  const deliveries = async (which: Partial<DeliveryQuery>) => {
    const query = { subscriptionId: id, limit: DELIVERIES_SHOWN, ...which }
    const page = await listDeliveries(c.env.DB, accountId, query, area.name)
    if (!page.ok) throw new HttpError(404, 'Esas entregas ya no están')
    return page.value
  }
  const page = await deliveries({ after: /^\d{1,15}$/.test(desde) ? Number(desde) : undefined })
  const test = prueba ? (await deliveries({ deliveryId: prueba })).deliveries[0] : undefined
  const frame = { title: name, lead: target, notice, refusal }
  return (
    <TabPage here={area.path} {...frame}>
      {closedNotice(c, area)}
      {test && <TestResult test={test} path={path} />}
      <Card id="estado" title="Estado" aside={<StateTag {...state} />}>
        <p>{state.text}</p>
        <p class="muted">{more}</p>
        {actionsOf(c, area)}
      </Card>
      {isDelivered && (
        <Card id="entregas" title="Últimas entregas">
          <DeliveryList {...page} {...{ path, enabled }} />
        </Card>
      )}
    </TabPage>
  )
}

/** Each form sends the version that the page shows: it is refused if the version changed since. */
function actionsOf({ var: { subscription } }: Here, area: Area) {
  const { canActivate, isDelivered, stored } = subscription
  const path = `${area.path}/${stored.id}`
  const seen = { version: String(stored.version) }
  const button = (step: string, label: string, kind?: string) => (
    <SessionForm action={`${path}/${step}`} seen={seen}>
      <button type="submit" class={kind}>
        {label}
      </button>
    </SessionForm>
  )
  return (
    <div class="actions">
      {stored.enabled && button('pausar', 'Pausar')}
      {canActivate && button('activar', 'Activar', 'primary')}
      {button('probar', 'Mandar una prueba')}
      <a class="button" href={`${path}/editar`}>
        Editar
      </a>
      {isDelivered && (
        <Confirmed label="Rotar el secreto" action={`${path}/rotar`} seen={seen}>
          <p>
            Te damos un secreto nuevo y <strong>el actual deja de servir en el acto</strong>. Lo que
            esté por salir va firmado con el nuevo.
          </p>
        </Confirmed>
      )}
      <Confirmed
        label="Borrar…"
        submit={`Borrar ${withArticle(area)}`}
        action={`${path}/borrar`}
        danger
        seen={seen}
      >
        <p>
          Se borran para siempre su configuración, su secreto y sus entregas.{' '}
          <strong>No hay vuelta atrás.</strong>
        </p>
      </Confirmed>
    </div>
  )
}

export async function editPage(c: Here, area: Area, refusal?: HttpError) {
  const { subscription, fields } = c.var
  const { id, sealed, version, receiverAuthorizationConfigured } = subscription.stored
  const { Fields, editHelp } = area
  const keyring = openKeyring(c.env.KEY_ENCRYPTION_KEYS)
  // Empty when the URL is absent or cannot be opened. Only its owner sees it.
  const url = (await openField(keyring, id, 'url', sealed.url)) ?? ''
  // After a 409, the form shows the subscription's new values instead of the typed ones.
  const isTyped = refusal !== undefined && refusal.status !== 409
  const path = `${area.path}/${id}`
  return (
    <CardPage title={`Editar ${withArticle(area)}`} size="medium" script="account">
      {refusal && <Problem text={refusal.message} />}
      <SessionForm action={`${path}/editar`} seen={{ version: String(version) }}>
        <Fields
          isNew={false}
          mayMail={sendsMail(c) || !subscription.isDelivered}
          hasAuthorization={receiverAuthorizationConfigured}
          values={isTyped ? fields : subscription.values(url)}
        />
        <p class="help">{editHelp}</p>
        <div class="actions">
          <button type="submit" class="primary">
            Guardar los cambios
          </button>
          <a class="button" href={path}>
            Cancelar
          </a>
        </div>
      </SessionForm>
    </CardPage>
  )
}

/** Shows the secret of a new subscription, or the new secret after a rotation (`isRotated`). */
export function issuedPage(c: Here, area: Area, secret: string, isRotated = false) {
  const { slug, end, path } = area
  const { subscription } = c.var
  return (
    <SecretPage
      title={isRotated ? 'Secreto rotado' : `${capital(slug)} cread${end}`}
      name={subscription.name}
      isRotated={isRotated}
      boxes={[
        {
          id: 'secreto',
          title: 'Secreto',
          text: secret,
          help: 'Con él tu servidor verifica webhook-signature de cada envío. Se usa como texto, con sus 64 caracteres.',
        },
        {
          id: 'estandar',
          title: 'El mismo, para Standard Webhooks',
          text: standardSecret(secret),
          help: <a href="/docs/webhooks">Así lo toman sus bibliotecas</a>,
        },
      ]}
      back={`${path}/${subscription.stored.id}`}
    />
  )
}
