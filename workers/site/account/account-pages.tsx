import { Hono } from 'hono'
import { deleteAccount } from '../../../shared/db/delete-account.ts'
import { normalizeEmail } from '../../../shared/db/accounts/accounts.ts'
import { normalizeKeyName } from '../../../shared/access/api-key.ts'
import {
  createKey,
  type KeyRecord,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../../shared/db/accounts/api-keys.ts'
import type { AccountContext, Deps, SiteContext } from '../context.ts'
import { keyNotFound, unauthorized } from '../errors.ts'
import { sameOriginOnly } from '../same-origin.ts'
import { DeletePage } from './delete-page.tsx'
import { BODY_LIMIT, readOwnForm } from './forms.ts'
import { frame, type Signed } from './frame.ts'
import { githubStart } from './github.ts'
import { AccountPage } from './account-page.tsx'
import { SecretPage } from './secret-page.tsx'
import { RevokePage, RotatePage } from './key-pages.tsx'
import { KEY_CHANGED, KEY_LIMIT_REACHED, KEY_NAME_INVALID } from './messages.ts'
import { endSession, passCookies, signedInPage } from './session.ts'
import { signIn } from './sign-in.tsx'
import { webhookPages } from './webhooks/webhook-pages.tsx'

/** `/cuenta`: sign-in, the list of keys and what can be done with them. Works without JavaScript. */
export function accountPages(deps: Deps) {
  return new Hono<SiteContext>()
    .use(async (c, next) => {
      await next()
      c.header('Cache-Control', 'no-store')
    })
    .use(sameOriginOnly, BODY_LIMIT)
    .route('/', signIn(deps))
    .route('/', githubStart(deps))
    .route('/', signedInPages(deps))
}

function signedInPages(deps: Deps) {
  const { now, random } = deps

  return new Hono<AccountContext>()
    .use(signedInPage)
    .get('/', async (c) => {
      const keys = await listKeys(c.env.DB, c.var.signedIn.accountId)
      return c.html(<AccountPage {...await frame(c)} keys={keys} notice={c.req.query('aviso')} />)
    })
    .post('/claves', async (c) => {
      const { nombre = '' } = await readOwnForm(c)
      const { accountId } = c.var.signedIn
      const refuse = async (problem: string, status: 400 | 409) =>
        c.html(
          <AccountPage
            {...await frame(c)}
            keys={await listKeys(c.env.DB, accountId)}
            problem={problem}
            name={nombre}
          />,
          status,
        )

      const name = normalizeKeyName(nombre)
      if (!name) return refuse(KEY_NAME_INVALID, 400)

      const made = await createKey(c.env.DB, { accountId, name, now: now(), random })
      if (made.ok)
        return c.html(<SecretPage {...await frame(c)} issued={made.value} origin={c.var.origin} />)
      if (made.refusal === 'account_not_found') throw unauthorized()
      return refuse(KEY_LIMIT_REACHED, 409)
    })
    .get('/claves/:id/rotar', async (c) => {
      const key = await ownKey(c, c.req.param('id'))
      return c.html(<RotatePage {...await frame(c)} record={key} />)
    })
    .post('/claves/:id/rotar', async (c) => {
      const { prefijo = '' } = await readOwnForm(c)
      const keyId = c.req.param('id')
      const { accountId } = c.var.signedIn

      const rotated = await rotateKey(c.env.DB, { accountId, keyId, seenPrefix: prefijo, random })
      if (rotated.ok)
        return c.html(
          <SecretPage {...await frame(c)} issued={rotated.value} origin={c.var.origin} rotated />,
        )
      if (rotated.refusal === 'key_not_found') return c.redirect('/cuenta?aviso=ya-no-existe', 303)

      const key = await ownKey(c, keyId)
      return c.html(<RotatePage {...await frame(c)} record={key} problem={KEY_CHANGED} />, 409)
    })
    .get('/claves/:id/revocar', async (c) => {
      const key = await ownKey(c, c.req.param('id'))
      return c.html(<RevokePage {...await frame(c)} record={key} />)
    })
    .post('/claves/:id/revocar', async (c) => {
      await readOwnForm(c)
      const { accountId } = c.var.signedIn
      const revoked = await revokeKey(c.env.DB, { accountId, keyId: c.req.param('id') })
      return c.redirect(`/cuenta?aviso=${revoked.ok ? 'revocada' : 'ya-no-existe'}`, 303)
    })
    .get('/borrar', async (c) => c.html(<DeletePage {...await frame(c)} />))
    .post('/borrar', async (c) => {
      const { correo = '' } = await readOwnForm(c)
      const { accountId, email } = c.var.signedIn
      if (normalizeEmail(correo) !== email)
        return c.html(<DeletePage {...await frame(c)} typed={correo} />, 400)

      await deleteAccount(c.env.DB, accountId)
      passCookies(await endSession(c), c)
      return c.redirect('/cuenta/entrar?aviso=cuenta-borrada', 303)
    })
    .route('/webhooks', webhookPages(deps))
    .post('/salir', async (c) => {
      await readOwnForm(c)
      passCookies(await endSession(c), c)
      return c.redirect('/cuenta/entrar?aviso=salida', 303)
    })
}

async function ownKey(c: Signed, id: string): Promise<KeyRecord> {
  const keys = await listKeys(c.env.DB, c.var.signedIn.accountId)
  const key = keys.find((key) => key.id === id)
  if (!key) throw keyNotFound()

  return key
}
