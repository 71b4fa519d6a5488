/** `/cuenta`: sign-in, keys, webhooks and alerts. It works without JavaScript. */
import { type Context, Hono } from 'hono'
import { argentineDay } from '../../../shared/argentine-time.ts'
import { KEY_LIMIT, type KeyRecord, listKeys } from '../../../shared/db/accounts.ts'
import type { AccountContext, SiteContext } from '../context.ts'
import type { HttpError } from '../../../shared/http-error.ts'
import { Card } from '../layout.tsx'
import { ACTIONS } from './actions.tsx'
import { BODY_LIMIT, sameOriginOnly } from './guards.ts'
import { Confirmed, Field, SessionForm, TabPage } from './parts.tsx'
import { addForms, signedInPage } from './session.tsx'
import type { SignInDeps } from './sign-in-limits.ts'
import { signIn } from './sign-in.tsx'
import { alertArea } from './subscriptions/alert-area.tsx'
import { subscriptionPages } from './subscriptions/routes.ts'
import { webhookArea } from './subscriptions/webhook-area.tsx'
import { dayText } from '../../../shared/market/spanish-text.ts'

type Here = Context<AccountContext>

export function accountPages(deps: SignInDeps) {
  const signedIn = new Hono<AccountContext>()
    .use(signedInPage)
    .get('/', async (c) => c.render(await keysPage(c)))
    .route('/webhooks', subscriptionPages(deps, webhookArea))
    .route('/alertas', subscriptionPages(deps, alertArea))
  const forms = ACTIONS.map(({ form, submit }) => [form, (c: Here) => submit(c, deps)] as const)
  addForms(signedIn, keysPage, Object.fromEntries(forms))

  return new Hono<SiteContext>()
    .use(async (c, next) => {
      await next()
      c.header('Cache-Control', 'no-store')
    })
    .use(sameOriginOnly, BODY_LIMIT)
    .route('/', signIn(deps))
    .route('/', signedIn)
}

/** The account's first page. After a refusal, the form keeps what was typed. */
async function keysPage(c: Here, refusal?: HttpError) {
  const { email, accountId } = c.var.signedIn
  const keys = await listKeys(c.env.DB, accountId)
  const leave = (
    <SessionForm action="/cuenta/salir">
      <button type="submit">Salir</button>
    </SessionForm>
  )
  const frame = { title: 'Tu cuenta', lead: email, action: leave, refusal }
  return (
    <TabPage {...frame} here="/cuenta" notice={c.req.query('aviso')}>
      <Card id="claves" title="Claves de API" aside={`${keys.length} de ${KEY_LIMIT}`}>
        <p class="muted">
          Sirven para el histórico y los webhooks. Las cotizaciones se leen sin clave.
        </p>
        {keys.length === 0 ? (
          <p class="empty">Todavía no tenés claves. Creá la primera acá abajo.</p>
        ) : (
          <ul class="keys">{keys.map(keyRow)}</ul>
        )}
        {createForm(c, keys.length)}
      </Card>
      <Card id="borrar" title="Borrar la cuenta" class="quiet">
        <p class="muted">
          Se borran para siempre tus claves, tus webhooks, tus alertas, sus entregas y todas tus
          sesiones. Lo que use tus claves deja de funcionar en el acto.
        </p>
        <Confirmed
          label="Borrar la cuenta…"
          submit="Borrar mi cuenta"
          action="/cuenta/borrar"
          danger
          open={'correo' in c.var.fields}
        >
          <Field
            name="correo"
            label="Para confirmar, escribí tu correo"
            type="email"
            value={c.var.fields['correo']}
            autocomplete="off"
            required
            isRefused={'correo' in c.var.fields}
          />
        </Confirmed>
      </Card>
    </TabPage>
  )
}

/** Rotating sends the prefix that the page shows, so that a key rotated meanwhile is kept. */
function keyRow({ id, name, prefix, inherited, createdAt, lastUsedDay }: KeyRecord) {
  const labelled = `clave-${id}`
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
        <Confirmed
          describedby={labelled}
          label="Rotar"
          submit="Rotar la clave"
          action={`/cuenta/claves/${id}/rotar`}
          seen={{ prefijo: prefix }}
        >
          <p>
            Te damos un secreto nuevo y <strong>el actual deja de servir en el acto</strong>. El
            nombre y la fecha quedan como están.
            {inherited && ' La clave pasa al formato nuevo.'}
          </p>
        </Confirmed>
        <Confirmed
          describedby={labelled}
          label="Revocar"
          submit="Revocar la clave"
          action={`/cuenta/claves/${id}/revocar`}
          danger
        >
          <p>
            Deja de servir en el acto y <strong>no se puede recuperar</strong>. Tus webhooks siguen
            andando.
          </p>
        </Confirmed>
      </div>
    </li>
  )
}

function Day({ day }: { day: string }) {
  return <time datetime={day}>{dayText(day)}</time>
}

function createForm({ var: { fields } }: Here, count: number) {
  const full = `Tenés ${count} claves, y todas siguen sirviendo. Para crear otra, revocá hasta que queden menos de ${KEY_LIMIT}.`
  if (count >= KEY_LIMIT) return <p class="notice">{full}</p>

  return (
    <SessionForm action="/cuenta/claves">
      <Field
        name="nombre"
        label="Nombre de la clave nueva"
        type="text"
        value={fields['nombre']}
        maxlength={60}
        required
        autocomplete="off"
        placeholder="Por ejemplo: planilla de precios"
        isRefused={'nombre' in fields}
      />
      <button type="submit" class="primary">
        Crear clave
      </button>
    </SessionForm>
  )
}
