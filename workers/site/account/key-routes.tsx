import { Hono } from 'hono'
import { normalizeKeyName } from '../../../shared/access/api-key.ts'
import {
  createKey,
  type KeyRecord,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../../shared/db/accounts/api-keys.ts'
import type { AccountContext, Deps } from '../context.ts'
import { keyNotFound, unauthorized } from '../errors.ts'
import { AccountPage } from './account-page.tsx'
import { readOwnForm } from './forms.ts'
import { frame, type Signed } from './frame.ts'
import { KeySecretPage, RevokePage, RotatePage } from './key-pages.tsx'
import { KEY_CHANGED, KEY_LIMIT_REACHED, KEY_NAME_INVALID } from './messages.ts'

/** `/cuenta/claves`: making, rotating and revoking keys. */
export function keyRoutes({ now, random }: Deps) {
  return new Hono<AccountContext>()
    .post('/', async (c) => {
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
        return c.html(
          <KeySecretPage {...await frame(c)} issued={made.value} origin={c.var.origin} />,
        )
      if (made.refusal === 'account_not_found') throw unauthorized()
      return refuse(KEY_LIMIT_REACHED, 409)
    })
    .get('/:id/rotar', async (c) => {
      const key = await ownKey(c, c.req.param('id'))
      return c.html(<RotatePage {...await frame(c)} record={key} />)
    })
    .post('/:id/rotar', async (c) => {
      const { prefijo = '' } = await readOwnForm(c)
      const keyId = c.req.param('id')
      const { accountId } = c.var.signedIn

      const rotated = await rotateKey(c.env.DB, { accountId, keyId, seenPrefix: prefijo, random })
      if (rotated.ok)
        return c.html(
          <KeySecretPage
            {...await frame(c)}
            issued={rotated.value}
            origin={c.var.origin}
            rotated
          />,
        )
      if (rotated.refusal === 'key_not_found') return c.redirect('/cuenta?aviso=ya-no-existe', 303)

      const key = await ownKey(c, keyId)
      return c.html(<RotatePage {...await frame(c)} record={key} problem={KEY_CHANGED} />, 409)
    })
    .get('/:id/revocar', async (c) => {
      const key = await ownKey(c, c.req.param('id'))
      return c.html(<RevokePage {...await frame(c)} record={key} />)
    })
    .post('/:id/revocar', async (c) => {
      await readOwnForm(c)
      const { accountId } = c.var.signedIn
      const revoked = await revokeKey(c.env.DB, { accountId, keyId: c.req.param('id') })
      return c.redirect(`/cuenta?aviso=${revoked.ok ? 'revocada' : 'ya-no-existe'}`, 303)
    })
}

async function ownKey(c: Signed, id: string): Promise<KeyRecord> {
  const keys = await listKeys(c.env.DB, c.var.signedIn.accountId)
  const key = keys.find((key) => key.id === id)
  if (!key) throw keyNotFound()

  return key
}
