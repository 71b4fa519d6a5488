/** `/cuenta`: sign-in, keys, webhooks and alerts. It works without JavaScript. */
import { type Context, Hono } from 'hono'
import { type IssuedKey, type KeyRecord, listKeys } from '../../../shared/db/accounts/api-keys.ts'
import type { AccountContext, SiteContext } from '../context.ts'
import type { HttpError } from '../errors.ts'
import { sameOriginOnly } from '../same-origin.ts'
import { accountActions, keyNotFound } from './account-api.ts'
import { DeletePage, KeysPage, KeySecretPage, RevokePage, RotatePage } from './key-pages.tsx'
import { addForm, BODY_LIMIT, endSession, signedInPage } from './session.ts'
import type { SignInDeps } from './sign-in-limits.ts'
import { signIn } from './sign-in.tsx'
import { alertArea } from './subscriptions/alert-area.tsx'
import { subscriptionPages } from './subscriptions/routes.tsx'
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
    .get('/', async (c) => c.html(await showKeys(c)))
    .route('/webhooks', subscriptionPages(deps, webhookArea))
    .route('/alertas', subscriptionPages(deps, alertArea))
    .post('/salir', async (c) => {
      await endSession(c)
      return c.redirect('/cuenta/entrar?aviso=salida', 303)
    })
  addForm(pages, '/claves', showKeys, async (c) =>
    showSecret(c, await actions.createKey(c, c.var.fields['nombre'] ?? '')),
  )
  addForm(
    pages,
    '/claves/:id/rotar',
    async (c, refusal) => (
      <RotatePage {...c.var.signedIn} record={await ownKey(c)} problem={refusal?.message} />
    ),
    async (c) => showSecret(c, await actions.rotateKey(c, c.var.fields['prefijo'] ?? ''), true),
  )
  addForm(
    pages,
    '/claves/:id/revocar',
    async (c) => <RevokePage {...c.var.signedIn} record={await ownKey(c)} />,
    async (c) => {
      await actions.revokeKey(c)
      return c.redirect('/cuenta?aviso=revocada', 303)
    },
  )
  addForm(
    pages,
    '/borrar',
    (c, refusal) => (
      <DeletePage {...c.var.signedIn} typed={c.var.fields['correo']} problem={refusal?.message} />
    ),
    async (c) => {
      await actions.deleteAccount(c, c.var.fields['correo'] ?? '')
      return c.redirect('/cuenta/entrar?aviso=cuenta-borrada', 303)
    },
  )
  return pages
}

const keysOf = (c: Here) => listKeys(c.env.DB, c.var.signedIn.accountId)

async function ownKey(c: Here): Promise<KeyRecord> {
  const key = (await keysOf(c)).find(({ id }) => id === c.req.param('id'))
  if (!key) throw keyNotFound()
  return key
}

async function showKeys(c: Here, refusal?: HttpError) {
  return (
    <KeysPage
      {...c.var.signedIn}
      keys={await keysOf(c)}
      notice={c.req.query('aviso')}
      problem={refusal?.message}
      name={c.var.fields['nombre']}
    />
  )
}

function showSecret(c: Here, issued: IssuedKey, isRotated = false) {
  const page = { ...c.var.signedIn, issued, isRotated, origin: c.var.origin }
  return c.html(<KeySecretPage {...page} />)
}
