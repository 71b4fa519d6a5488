/** `/cuenta`: sign-in, keys, webhooks and alerts. It works without JavaScript. */
import { type Context, Hono } from 'hono'
import { argentineDay } from '../../../shared/argentine-time.ts'
import {
  type IssuedKey,
  KEY_LIMIT,
  type KeyRecord,
  listKeys,
} from '../../../shared/db/accounts/api-keys.ts'
import type { AccountContext, SiteContext } from '../context.ts'
import type { HttpError } from '../errors.ts'
import { sameOriginOnly } from '../same-origin.ts'
import { accountActions, keyNotFound } from './account-api.ts'
import { AskingPage, Field, Problem, SecretPage, SessionForm, TabPage } from './parts.tsx'
import { addForm, BODY_LIMIT, endSession, signedInPage } from './session.ts'
import type { SignInDeps } from './sign-in-limits.ts'
import { signIn } from './sign-in.tsx'
import { alertArea } from './subscriptions/alert-area.tsx'
import { subscriptionPages } from './subscriptions/routes.ts'
import { webhookArea } from './subscriptions/webhook-area.tsx'

type Here = Context<AccountContext>

export function accountPages(deps: SignInDeps) {
  return new Hono<SiteContext>()
    .use(async (c, next) => {
      await next()
      c.header('Cache-Control', 'no-store')
    })
    .use(sameOriginOnly, BODY_LIMIT)
    .route('/', signIn(deps))
    .route('/', signedInPages(deps))
}

function signedInPages(deps: SignInDeps) {
  const actions = accountActions(deps)
  const pages = new Hono<AccountContext>()
    .use(signedInPage)
    .get('/', async (c) => c.html(await keysPage(c)))
    .route('/webhooks', subscriptionPages(deps, webhookArea))
    .route('/alertas', subscriptionPages(deps, alertArea))
    .post('/salir', async (c) => {
      await endSession(c)
      return c.redirect('/cuenta/entrar?aviso=salida', 303)
    })
  addForm(pages, '/claves', keysPage, async (c) =>
    secretPage(c, await actions.createKey(c, c.var.fields['nombre'] ?? '')),
  )
  addForm(pages, '/claves/:id/rotar', rotatePage, async (c) =>
    secretPage(c, await actions.rotateKey(c, c.var.fields['prefijo'] ?? ''), true),
  )
  addForm(pages, '/claves/:id/revocar', revokePage, async (c) => {
    await actions.revokeKey(c)
    return c.redirect('/cuenta?aviso=revocada', 303)
  })
  addForm(pages, '/borrar', deletePage, async (c) => {
    await actions.deleteAccount(c, c.var.fields['correo'] ?? '')
    return c.redirect('/cuenta/entrar?aviso=cuenta-borrada', 303)
  })
  return pages
}

const keysOf = (c: Here) => listKeys(c.env.DB, c.var.signedIn.accountId)

async function ownKey(c: Here): Promise<KeyRecord> {
  const key = (await keysOf(c)).find(({ id }) => id === c.req.param('id'))
  if (!key) throw keyNotFound()
  return key
}

/** The account's first page. */
async function keysPage(c: Here, refusal?: HttpError) {
  const { email, token } = c.var.signedIn
  const keys = await keysOf(c)
  const leave = (
    <SessionForm action="/cuenta/salir" token={token}>
      <button type="submit">Salir</button>
    </SessionForm>
  )
  const frame = { title: 'Tu cuenta', email, lead: email, action: leave }
  return (
    <TabPage {...frame} here="/cuenta" notice={c.req.query('aviso')}>
      <section class="card" aria-labelledby="claves">
        <div class="card-head">
          <h2 id="claves">Claves de API</h2>
          <p class="count">
            {keys.length} de {KEY_LIMIT}
          </p>
        </div>
        <p class="muted">
          Sirven para el histórico y los webhooks. Las cotizaciones se leen sin clave.
        </p>
        {keys.length === 0 ? (
          <p class="empty">Todavía no tenés claves. Creá la primera acá abajo.</p>
        ) : (
          <ul class="keys">{keys.map(keyRow)}</ul>
        )}
        {createForm(c, keys.length, refusal?.message)}
      </section>
      <section class="card quiet" aria-labelledby="borrar">
        <h2 id="borrar">Borrar la cuenta</h2>
        <p class="muted">
          Se borran tus claves, tus webhooks, tus alertas y sus entregas. No hay vuelta atrás.
        </p>
        <p>
          <a class="button danger" href="/cuenta/borrar">
            Borrar la cuenta…
          </a>
        </p>
      </section>
    </TabPage>
  )
}

function keyRow({ id, name, prefix, inherited, createdAt, lastUsedDay }: KeyRecord) {
  const labelled = `clave-${id}`
  const link = (step: string, label: string, kind = '') => (
    <a class={`button ${kind}`} href={`/cuenta/claves/${id}/${step}`} aria-describedby={labelled}>
      {label}
    </a>
  )
  return (
    <li class="key">
      <div class="key-text">
        <p class="key-name" id={labelled}>
          <bdi>{name}</bdi>
          {inherited && <span class="tag">Heredada de v1</span>}
        </p>
        <p class="key-facts">
          <code>{prefix}…</code>
          <span>
            Creada el <Day day={argentineDay(createdAt)} />
          </span>
          <span>{lastUsedDay ? <>Usada el {<Day day={lastUsedDay} />}</> : 'Sin uso'}</span>
        </p>
      </div>
      <div class="key-actions">
        {link('rotar', 'Rotar')}
        {link('revocar', 'Revocar', 'danger')}
      </div>
    </li>
  )
}

/** `YYYY-MM-DD` as people write it here. */
function Day({ day }: { day: string }) {
  const [year, month, date] = day.split('-')
  return <time datetime={day}>{`${Number(date)}/${Number(month)}/${year}`}</time>
}

function createForm(c: Here, count: number, problem: string | undefined) {
  if (count >= KEY_LIMIT) {
    const text =
      count > KEY_LIMIT
        ? `Tenés ${count} claves, y todas siguen sirviendo. Para crear otra, revocá hasta que queden menos de ${KEY_LIMIT}`
        : `Tenés las ${KEY_LIMIT} claves que admite una cuenta. Para crear otra, revocá alguna`
    return <Problem text={text} alert={problem !== undefined} />
  }

  return (
    <SessionForm action="/cuenta/claves" token={c.var.signedIn.token} class="create">
      <Field
        name="nombre"
        label="Nombre de la clave nueva"
        type="text"
        value={c.var.fields['nombre']}
        maxlength={60}
        required
        autocomplete="off"
        placeholder="Por ejemplo: planilla de precios"
        error={problem}
      >
        <button type="submit" class="primary">
          Crear clave
        </button>
      </Field>
    </SessionForm>
  )
}

/** Asks before the secret is replaced; the form says which secret it means. */
async function rotatePage(c: Here, refusal?: HttpError) {
  const record = await ownKey(c)
  return (
    <AskingPage
      {...c.var.signedIn}
      title="Rotar la clave"
      action={`/cuenta/claves/${record.id}/rotar`}
      back="/cuenta"
      seen={{ prefijo: record.prefix }}
      problem={refusal?.message}
    >
      {keyTitle(record)}
      <p>
        Te damos un secreto nuevo y <strong>el actual deja de servir en el acto</strong>. El nombre
        y la fecha quedan como están.
        {record.inherited && ' La clave pasa al formato nuevo.'}
      </p>
    </AskingPage>
  )
}

async function revokePage(c: Here) {
  const record = await ownKey(c)
  const form = { title: 'Revocar la clave', action: `/cuenta/claves/${record.id}/revocar` }
  return (
    <AskingPage {...c.var.signedIn} {...form} back="/cuenta" danger>
      {keyTitle(record)}
      <p>
        Deja de servir en el acto y <strong>no se puede recuperar</strong>. Tus webhooks siguen
        andando.
      </p>
    </AskingPage>
  )
}

function keyTitle({ name, prefix }: KeyRecord) {
  return (
    <p class="key-title">
      <strong>
        <bdi>{name}</bdi>
      </strong>{' '}
      <code>{prefix}…</code>
    </p>
  )
}

function secretPage(c: Here, { key, record }: IssuedKey, isRotated = false) {
  const command = `curl -H 'Authorization: Bearer ${key}' ${c.var.origin}/api/v2/auth/check`
  const lead = (
    <>
      Esta es la clave{' '}
      <strong>
        <bdi>{record.name}</bdi>
      </strong>
      . {isRotated && 'La anterior ya no sirve. '}
      <strong>Copiala ahora: no la vamos a mostrar otra vez.</strong>
    </>
  )
  return c.html(
    <SecretPage
      email={c.var.signedIn.email}
      title={isRotated ? 'Clave rotada' : 'Clave creada'}
      lead={lead}
      boxes={[
        { id: 'secreto', title: 'Clave', text: key, what: 'la clave' },
        { id: 'curl', title: 'Para probarla', text: command, what: 'el comando' },
      ]}
      back="/cuenta"
      done="Listo, la guardé"
    />,
  )
}

function deletePage(c: Here, refusal?: HttpError) {
  const { email, token } = c.var.signedIn
  const form = { title: 'Borrar la cuenta', action: '/cuenta/borrar', submit: 'Borrar mi cuenta' }
  const label = (
    <>
      Para confirmar, escribí tu correo: <strong class="breakable">{email}</strong>
    </>
  )
  return (
    <AskingPage {...{ email, token }} {...form} back="/cuenta" danger>
      <p>
        Se borran para siempre tus claves, tus webhooks, tus alertas, sus entregas y todas tus
        sesiones. Lo que use tus claves deja de funcionar en el acto.
      </p>
      <Field
        name="correo"
        label={label}
        type="email"
        value={c.var.fields['correo']}
        autocomplete="off"
        required
        error={refusal?.message}
      />
    </AskingPage>
  )
}
