/** The actions of an account's owner, each defined once for a form and for JSON. */
import type { Context } from 'hono'
import * as z from 'zod'
import { normalizeKeyName } from '../../../shared/access/api-key.ts'
import { formatUtc } from '../../../shared/argentine-time.ts'
import {
  createKey,
  deleteAccount,
  type IssuedKey,
  KEY_LIMIT,
  type KeyRecord,
  revokeKey,
  rotateKey,
} from '../../../shared/db/accounts.ts'
import { malformedJson } from '../../../shared/http-error.ts'
import { normalizeEmail } from '../../../shared/mail.ts'
import type { AccountContext, Deps } from '../context.ts'
import { badRequest, HttpError, unauthorized } from '../../../shared/http-error.ts'
import { SecretPage } from './parts.tsx'
import { endSession } from './session.tsx'

type Here = Context<AccountContext>

interface Action<Done> {
  /** The path of the form, below `/cuenta`. */
  form: string
  /** The method and path for JSON, below `/api/account`; absent when only pages have the action. */
  json?: readonly [method: 'POST' | 'DELETE', path: string]
  /** The one field that the action reads: its names in the form and in JSON, and its refusal. */
  field?: { form: string; json: string; problem: string }
  /** Throws an `HttpError` with the reason of a refusal. */
  run: (c: Here, deps: Deps, typed: string) => Promise<Done>
  /** The response to the form. */
  page: (c: Here, done: Done) => Response | Promise<Response>
  answer?: (done: Done) => object
  status?: 200 | 201
}

const NAME_INVALID =
  'El nombre de la clave tiene que tener entre 1 y 60 caracteres, en una sola línea'

const deleted = () => ({ deleted: true })

export const ACTIONS = [
  action({
    form: '/claves',
    json: ['POST', '/keys'],
    field: { form: 'nombre', json: 'name', problem: NAME_INVALID },
    async run(c, { now, random }, typed) {
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
    page: (c, issued) => secretPage(c, issued),
    answer: presentIssued,
    status: 201,
  }),
  action({
    form: '/claves/:id/rotar',
    json: ['POST', '/keys/:id/rotate'],
    field: {
      form: 'prefijo',
      json: 'prefix',
      problem: 'Escribí el prefijo actual en "prefix"',
    },
    async run(c, { random }, seenPrefix) {
      const rotated = await rotateKey(c.env.DB, { ...keyOf(c), seenPrefix, random })
      if (rotated.ok) return rotated.value
      if (rotated.refusal === 'key_not_found') throw keyNotFound()
      throw new HttpError(
        409,
        'La clave cambió mientras tanto; mirá cómo está ahora y volvé a intentar',
      )
    },
    page: (c, issued) => secretPage(c, issued, true),
    answer: presentIssued,
  }),
  action({
    form: '/claves/:id/revocar',
    json: ['DELETE', '/keys/:id'],
    async run(c) {
      if (!(await revokeKey(c.env.DB, keyOf(c))).ok) throw keyNotFound()
    },
    page: (c) => c.redirect('/cuenta?aviso=revocada', 303),
    answer: deleted,
  }),
  action({
    form: '/borrar',
    json: ['DELETE', '/'],
    field: { form: 'correo', json: 'email', problem: 'Escribí el correo de la cuenta en "email"' },
    async run(c, _, typed) {
      if (normalizeEmail(typed) !== c.var.signedIn.email)
        throw badRequest('El correo no es el de esta cuenta; no se borró nada')

      await deleteAccount(c.env.DB, c.var.signedIn.accountId)
      await endSession(c)
    },
    page: (c) => c.redirect('/cuenta/entrar?aviso=cuenta-borrada', 303),
    answer: deleted,
  }),
  action({
    form: '/salir',
    run: (c) => endSession(c),
    page: (c) => c.redirect('/cuenta/entrar?aviso=salida', 303),
  }),
]

function action<Done>({ field, run, page, answer, status, ...route }: Action<Done>) {
  return {
    ...route,
    submit: async (c: Here, deps: Deps) =>
      page(c, await run(c, deps, c.var.fields[field?.form ?? ''] ?? '')),
    call: async (c: Here, deps: Deps) => {
      const done = await run(c, deps, field ? await readText(c, field) : '')
      return c.json(answer?.(done) ?? {}, status ?? 200)
    },
  }
}

const ownerOf = ({ var: { signedIn } }: Here) => ({ accountId: signedIn.accountId })
const keyOf = (c: Here) => ({ ...ownerOf(c), keyId: c.req.param('id')! })
const keyNotFound = () => new HttpError(404, 'Esa clave ya no existe')

export function presentKey({ createdAt, ...record }: KeyRecord) {
  return { ...record, createdAt: formatUtc(createdAt) }
}

function presentIssued({ key, record }: IssuedKey) {
  return { key: presentKey(record), secret: key }
}

/**
 * The text of a JSON body that has one field, or 415 or 400 (decision 39: bodies and their
 * refusals). Requires the Content-Type of JSON, which a form of another site cannot send.
 */
async function readText(c: Here, { json, problem }: { json: string; problem: string }) {
  const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== 'application/json') throw new HttpError(415, 'El cuerpo tiene que ser JSON')

  const body = await c.req.json<unknown>().catch(() => {
    throw malformedJson()
  })
  const parsed = z.strictObject({ [json]: z.string() }).safeParse(body)
  if (!parsed.success) throw badRequest(problem)
  return parsed.data[json]!
}

function secretPage(c: Here, { key, record }: IssuedKey, isRotated = false) {
  const command = `curl -H 'Authorization: Bearer ${key}' ${c.var.origin}/api/v2/auth/check`
  return c.render(
    <SecretPage
      title={isRotated ? 'Clave rotada' : 'Clave creada'}
      name={record.name}
      isRotated={isRotated}
      boxes={[
        { id: 'secreto', title: 'Clave', text: key },
        { id: 'curl', title: 'Para probarla', text: command },
      ]}
      back="/cuenta"
    />,
  )
}
