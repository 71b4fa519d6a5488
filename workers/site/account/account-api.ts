import { Hono, type Context } from 'hono'
import * as z from 'zod'
import { formatUtc } from '../../../shared/argentine-time.ts'
import { normalizeKeyName } from '../../../shared/access/api-key.ts'
import { deleteAccount } from '../../../shared/db/delete-account.ts'
import { normalizeEmail } from '../../../shared/db/accounts/accounts.ts'
import {
  createKey,
  KEY_LIMIT,
  listKeys,
  revokeKey,
  rotateKey,
  type KeyRecord,
} from '../../../shared/db/accounts/api-keys.ts'
import type { AccountContext, Deps } from '../context.ts'
import { badRequest, keyNotFound, HttpError, unauthorized } from '../errors.ts'
import { sameOriginOnly } from '../same-origin.ts'
import { apiHeaders, methods, readJson } from './api-frame.ts'
import { BODY_LIMIT } from './forms.ts'
import { EMAIL_MISMATCH, KEY_CHANGED, KEY_LIMIT_REACHED, KEY_NAME_INVALID } from './messages.ts'
import { endSession, passCookies, signedInApi } from './session.ts'

const newKey = z.strictObject({ name: z.string() })
const rotation = z.strictObject({ prefix: z.string() })
const deletion = z.strictObject({ email: z.string() })

/**
 * `/api/account`: the actions of the pages as JSON, for the same session and under the same rules.
 */
export function accountApi({ now, random }: Deps) {
  return new Hono<AccountContext>()
    .use(apiHeaders)
    .use('/', methods('GET', 'DELETE'))
    .use('/keys', methods('GET', 'POST'))
    .use('/keys/:id', methods('DELETE'))
    .use('/keys/:id/rotate', methods('POST'))
    .use(sameOriginOnly, signedInApi, BODY_LIMIT)
    .get('/', (c) => {
      const { email, accountCreatedAt } = c.var.signedIn
      return c.json({ account: { email, createdAt: formatUtc(accountCreatedAt) } })
    })
    .delete('/', async (c) => {
      const { email } = await readJson(c, deletion, 'Escribí el correo de la cuenta en "email"')
      if (normalizeEmail(email) !== c.var.signedIn.email) throw badRequest(EMAIL_MISMATCH)

      await deleteAccount(c.env.DB, c.var.signedIn.accountId)
      passCookies(await endSession(c), c)
      return c.json({ deleted: true })
    })
    .get('/keys', async (c) => {
      const keys = await listKeys(c.env.DB, c.var.signedIn.accountId)
      return c.json({ keys: keys.map(present), limit: KEY_LIMIT })
    })
    .post('/keys', async (c) => {
      const body = await readJson(c, newKey, KEY_NAME_INVALID)
      const name = normalizeKeyName(body.name)
      if (!name) throw badRequest(KEY_NAME_INVALID)

      const { accountId } = c.var.signedIn
      const made = await createKey(c.env.DB, { accountId, name, now: now(), random })
      if (made.ok) return c.json({ key: present(made.value.record), secret: made.value.key }, 201)
      throw made.refusal === 'key_limit' ? new HttpError(409, KEY_LIMIT_REACHED) : unauthorized()
    })
    .post('/keys/:id/rotate', async (c) => {
      const { prefix } = await readJson(c, rotation, 'Escribí el prefijo actual en "prefix"')
      const rotated = await rotateKey(c.env.DB, { ...target(c), seenPrefix: prefix, random })
      if (rotated.ok)
        return c.json({ key: present(rotated.value.record), secret: rotated.value.key })

      throw rotated.refusal === 'key_changed' ? new HttpError(409, KEY_CHANGED) : keyNotFound()
    })
    .delete('/keys/:id', async (c) => {
      const revoked = await revokeKey(c.env.DB, target(c))
      if (!revoked.ok) throw keyNotFound()

      return c.json({ deleted: true })
    })
}

/** A key of an account. */
function target(c: Context<AccountContext, '/keys/:id'>) {
  return { accountId: c.var.signedIn.accountId, keyId: c.req.param('id') }
}

function present({ createdAt, ...record }: KeyRecord) {
  return { ...record, createdAt: formatUtc(createdAt) }
}
