/** What the owner of an account may do, for the pages and as JSON. */
import { type Context, type MiddlewareHandler, Hono } from 'hono'
import { normalizeKeyName } from '../../../shared/access/api-key.ts'
import { formatUtc } from '../../../shared/argentine-time.ts'
import { answerPreflight, CORS_HEADERS } from '../../../shared/cors.ts'
import { normalizeEmail } from '../../../shared/mail.ts'
import {
  type IssuedKey,
  type KeyRecord,
  createKey,
  KEY_LIMIT,
  listKeys,
  revokeKey,
  rotateKey,
  deleteAccount,
} from '../../../shared/db/accounts.ts'
import { malformedJson, methodNotAllowed } from '../../../shared/http-error.ts'
import type { AccountContext, Deps } from '../context.ts'
import { badRequest, HttpError, unauthorized } from '../errors.ts'
import { sameOriginOnly } from '../same-origin.ts'
import { BODY_LIMIT } from '../body-limit.ts'
import { endSession, signedInApi } from './session.tsx'
import * as z from 'zod'

type Here = Context<AccountContext>

const NAME_INVALID =
  'El nombre de la clave tiene que tener entre 1 y 60 caracteres, en una sola línea'

const keyNotFound = () => new HttpError(404, 'Esa clave ya no existe')

/** The actions of pages and JSON alike. Each throws an `HttpError` with the reason of a refusal. */
export function accountActions({ now, random }: Deps) {
  return {
    async createKey(c: Here, typed: string): Promise<IssuedKey> {
      const name = normalizeKeyName(typed)
      if (!name) throw badRequest(NAME_INVALID)

      const made = await createKey(c.env.DB, { ...ownerOf(c), name, now: now(), random })
      if (made.ok) return made.value
      if (made.refusal === 'account_not_found') throw unauthorized()
      throw new HttpError(
        409,
        `Ya tenés ${KEY_LIMIT} claves activas o más; revocá alguna hasta que queden menos de ${KEY_LIMIT} y vas a poder crear otra`,
      )
    },
    async rotateKey(c: Here, seenPrefix: string): Promise<IssuedKey> {
      const rotated = await rotateKey(c.env.DB, { ...keyOf(c), seenPrefix, random })
      if (rotated.ok) return rotated.value
      if (rotated.refusal === 'key_not_found') throw keyNotFound()
      throw new HttpError(
        409,
        'La clave cambió mientras tanto; mirá cómo está ahora y volvé a intentar',
      )
    },
    async revokeKey(c: Here): Promise<void> {
      if (!(await revokeKey(c.env.DB, keyOf(c))).ok) throw keyNotFound()
    },
    async deleteAccount(c: Here, typed: string): Promise<void> {
      if (normalizeEmail(typed) !== c.var.signedIn.email)
        throw badRequest('El correo no es el de esta cuenta; no se borró nada')

      await deleteAccount(c.env.DB, c.var.signedIn.accountId)
      await endSession(c)
    },
  }
}

const ownerOf = ({ var: { signedIn } }: Here) => ({ accountId: signedIn.accountId })
const keyOf = (c: Here) => ({ ...ownerOf(c), keyId: c.req.param('id')! })

/** `/api/account`: the actions of the pages as JSON, for the same session. */
export function accountApi(deps: Deps) {
  const actions = accountActions(deps)
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
      const email = await readText(c, 'email', 'Escribí el correo de la cuenta en "email"')
      await actions.deleteAccount(c, email)
      return c.json({ deleted: true })
    })
    .get('/keys', async (c) => {
      const keys = await listKeys(c.env.DB, c.var.signedIn.accountId)
      return c.json({ keys: keys.map(present), limit: KEY_LIMIT })
    })
    .post('/keys', async (c) => {
      const name = await readText(c, 'name', NAME_INVALID)
      return c.json(issued(await actions.createKey(c, name)), 201)
    })
    .post('/keys/:id/rotate', async (c) => {
      const prefix = await readText(c, 'prefix', 'Escribí el prefijo actual en "prefix"')
      return c.json(issued(await actions.rotateKey(c, prefix)))
    })
    .delete('/keys/:id', async (c) => {
      await actions.revokeKey(c)
      return c.json({ deleted: true })
    })
}

const issued = ({ key, record }: IssuedKey) => ({ key: present(record), secret: key })

function present({ createdAt, ...record }: KeyRecord) {
  return { ...record, createdAt: formatUtc(createdAt) }
}

/** Never stored, with the CORS headers of everything under `/api/`. */
export const apiHeaders: MiddlewareHandler = async (c, next) => {
  if (c.req.method === 'OPTIONS') return answerPreflight(c.req.raw)

  await next()
  c.header('Cache-Control', 'no-store')
  for (const [name, value] of Object.entries(CORS_HEADERS)) c.header(name, value)
}

/** Refuses other methods of a path, naming its own. */
function methods(...allowed: string[]): MiddlewareHandler {
  const all = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))

  return async (c, next) => {
    if (!all.includes(c.req.method)) throw methodNotAllowed(all)
    await next()
  }
}

/**
 * The text of a JSON body that has one field, or 415 or 400 (decision 39: bodies and their
 * refusals). The Content-Type is required also because no form of another site can send it.
 */
async function readText(c: Context, field: string, problem: string): Promise<string> {
  const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== 'application/json') throw new HttpError(415, 'El cuerpo tiene que ser JSON')

  const body = await c.req.json<unknown>().catch(() => {
    throw malformedJson()
  })
  const parsed = z.strictObject({ [field]: z.string() }).safeParse(body)
  if (!parsed.success) throw badRequest(problem)
  return parsed.data[field]!
}
