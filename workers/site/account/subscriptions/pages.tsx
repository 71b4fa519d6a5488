/** The pages of subscriptions: the list of a kind, one of them, and the form that edits it. */
import { setting } from '../../../../shared/config/config.ts'
import { pairKey } from '../../../../shared/market/catalog.ts'
import { openKeyring } from '../../../../shared/crypto/sealed-box.ts'
import { randomUuid } from '../../../../shared/crypto/random.ts'
import { listSubscriptions, type NewSubscription } from '../../../../shared/subscriptions/kind.ts'
import { isAdmissionOpen } from '../../../../shared/subscriptions/context.ts'
import { type DeliveryQuery, listDeliveries } from '../../../../shared/db/deliveries/list.ts'
import type { StoredSubscription } from '../../../../shared/db/subscriptions.ts'
import { openField } from '../../../../shared/subscriptions/sealed-fields.ts'
import { standardSecret } from '../../../../shared/webhooks/webhook.ts'
import type { Deps } from '../../context.ts'
import { HttpError } from '../../errors.ts'
import { Card, CardPage } from '../../layout.tsx'
import { Confirmed, Problem, SecretPage, SessionForm, TabPage } from '../parts.tsx'
import type { Area, AreaNames, Here, StateWords } from './area.tsx'
import { DeliveryList, TestResult } from './deliveries.tsx'

const DELIVERIES_SHOWN = 10

/** `Webhook`, `Alerta`. */
const capital = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}`
const withArticle = ({ slug, end }: AreaNames) => `${end === 'a' ? 'la' : 'el'} ${slug}`

/** The account's subscriptions of a kind, and the form for another one. */
export async function listPage<Stored extends StoredSubscription, New extends NewSubscription>(
  c: Here<Stored>,
  { now, random }: Deps,
  area: Area<Stored, New>,
  refusal?: HttpError,
) {
  const { slug, end, intro, path, kind } = area
  const subscriptions = await listSubscriptions(c.env.DB, kind, c.var.signedIn.accountId, now())
  const title = capital(`${slug}s`)
  const notice = c.req.query('aviso')
  return (
    <TabPage here={path} lead={intro} {...{ title, notice, refusal }}>
      {closedNotice(c, area)}
      <Card id="lista" title={`Tus ${slug}s`} aside={`${subscriptions.length} de ${kind.limit}`}>
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

function closedNotice({ env }: Pick<Here, 'env'>, { slug, end }: AreaNames) {
  if (isAdmissionOpen(env)) return null
  return (
    <p class="notice standing">
      {`L${end}s ${slug}s están en preparación: por ahora no avisan, y no se pueden crear, activar ni probar. L${end}s que tengas se pueden ver, pausar, editar y borrar.`}
    </p>
  )
}

function row<Stored extends StoredSubscription, New extends NewSubscription>(
  area: Area<Stored, New>,
  subscription: Stored,
) {
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

/** Submitting the form twice creates one subscription, by its operation id. */
function createForm<Stored extends StoredSubscription, New extends NewSubscription>(
  c: Here<Stored>,
  random: Deps['random'],
  area: Area<Stored, New>,
  count: number,
) {
  const { path, kind, slug, end, Fields, empty } = area
  const full = `Tenés ${count} ${slug}s, contando l${end}s que están en pausa. Para crear otr${end}, borrá hasta que queden menos de ${kind.limit}.`
  if (count >= kind.limit) return <p class="notice">{full}</p>
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
export async function onePage<Stored extends StoredSubscription, New extends NewSubscription>(
  c: Here<Stored>,
  area: Area<Stored, New>,
  refusal?: HttpError,
) {
  const { accountId } = c.var.signedIn
  const { id, enabled } = c.var.subscription
  const { name, target, state, more, isDelivered } = area.show(c.var.subscription)
  const path = `${area.path}/${id}`
  const { desde = '', prueba, aviso: notice } = c.req.query()
  const deliveries = async (which: Partial<DeliveryQuery>) => {
    const query = { subscriptionId: id, limit: DELIVERIES_SHOWN, ...which }
    const page = await listDeliveries(c.env.DB, accountId, query, area.kind.name)
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
        <p class="state-note">{state.text}</p>
        <p class="muted">{more}</p>
        {actionsOf(c, area)}
      </Card>
      {isDelivered && (
        <Card id="entregas" title="Últimas entregas">
          <DeliveryList {...page} {...{ path, enabled }} calls={missedCalls(c, area)} />
        </Card>
      )}
    </TabPage>
  )
}

/** How the API brings what a receiver missed: what was made again, and what a pause left unmade. */
function missedCalls<Stored extends StoredSubscription, New extends NewSubscription>(
  { var: { subscription } }: Here<Stored>,
  { kind }: Area<Stored, New>,
): string[] {
  const { id, pair } = subscription
  return [
    `POST /api/v2/${kind.plural}/${id}/redeliver {"since": "…"}`,
    `GET /api/v2/${pairKey(pair).toLowerCase()}/history?from=AAAA-MM-DD`,
  ]
}

/** Each has the version of the subscription from which it was made. */
function actionsOf<Stored extends StoredSubscription, New extends NewSubscription>(
  { var: { subscription } }: Here<Stored>,
  area: Area<Stored, New>,
) {
  const { canActivate, isDelivered } = area.show(subscription)
  const path = `${area.path}/${subscription.id}`
  const seen = { version: String(subscription.version) }
  const button = (step: string, label: string, kind?: string) => (
    <SessionForm action={`${path}/${step}`} seen={seen}>
      <button type="submit" class={kind}>
        {label}
      </button>
    </SessionForm>
  )
  return (
    <div class="actions">
      {subscription.enabled && button('pausar', 'Pausar')}
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

export async function editPage<Stored extends StoredSubscription, New extends NewSubscription>(
  c: Here<Stored>,
  area: Area<Stored, New>,
  refusal?: HttpError,
) {
  const { subscription, fields } = c.var
  const { id, sealed, version } = subscription
  const { Fields, editHelp } = area
  const keyring = openKeyring(c.env.KEY_ENCRYPTION_KEYS)
  // Empty when there is none or it cannot be opened. Only its owner sees it.
  const url = (await openField(keyring, id, 'url', sealed.url)) ?? ''
  // A change made meanwhile is shown, not overwritten.
  const isTyped = refusal !== undefined && refusal.status !== 409
  const path = `${area.path}/${id}`
  return (
    <CardPage title={`Editar ${withArticle(area)}`} size="medium" script="account">
      {refusal && <Problem text={refusal.message} />}
      <SessionForm action={`${path}/editar`} seen={{ version: String(version) }}>
        <Fields
          isNew={false}
          mayMail={sendsMail(c) || !area.show(subscription).isDelivered}
          hasAuthorization={subscription.receiverAuthorizationConfigured}
          values={isTyped ? fields : area.valuesOf(subscription, url)}
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

/** The page that shows the secret of a subscription, which existed before if it is rotated. */
export function issuedPage<Stored extends StoredSubscription, New extends NewSubscription>(
  c: Here<Stored>,
  area: Area<Stored, New>,
  secret: string,
  isRotated = false,
) {
  const { slug, end, path } = area
  const { subscription } = c.var
  const lead = (
    <>
      <strong>{area.show(subscription).name}</strong>: este es su secreto.{' '}
      {isRotated && 'El anterior ya no sirve. '}
      <strong>Copialo ahora: no lo vamos a mostrar otra vez.</strong>
    </>
  )
  return (
    <SecretPage
      title={isRotated ? 'Secreto rotado' : `${capital(slug)} cread${end}`}
      lead={lead}
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
      back={`${path}/${subscription.id}`}
      done="Listo, lo guardé"
    />
  )
}
