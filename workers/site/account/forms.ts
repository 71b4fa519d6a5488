import type { MiddlewareHandler } from 'hono'
import type { AccountContext, Visit } from '../context.ts'
import { MAX_BODY_BYTES } from '../../../shared/body-limit.ts'
import { badRequest, HttpError, incompleteBody, tooLarge } from '../errors.ts'
import { foreignRequest } from '../same-origin.ts'
import { bodyLimit } from 'hono/body-limit'
import { isFormToken } from './form-token.ts'
import { FIELDS_MISSING } from './messages.ts'

const limitBody = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => {
    throw tooLarge()
  },
})

/**
 * Refuses bodies that are too long. The body of a GET is not read: the library would copy it into a
 * new GET, which cannot have one. A body that ends too early is the sender's fault.
 */
export const BODY_LIMIT: MiddlewareHandler = async (c, next) => {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return next()
  try {
    return await limitBody(c, next)
  } catch (error) {
    throw error instanceof HttpError ? error : incompleteBody()
  }
}

export type Fields = Record<string, string>

/** The text fields of a submitted form; files and repeated fields count as absent. */
export async function readForm(c: Visit): Promise<Fields> {
  const type = c.req.header('Content-Type') ?? ''
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type))
    throw badRequest(FIELDS_MISSING)

  const fields = await c.req.parseBody({ all: true }).catch(() => {
    throw badRequest('Los datos del formulario no se entienden')
  })
  return Object.fromEntries(
    Object.entries(fields).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}

/** The fields of a form from a page of this session. */
export async function readOwnForm(
  c: Visit & { var: AccountContext['Variables'] },
): Promise<Fields> {
  const fields = await readForm(c)
  const { sessionId } = c.var.signedIn
  if (!(await isFormToken(c.env.SESSION_SECRET, sessionId, fields.token ?? '')))
    throw foreignRequest()

  return fields
}
