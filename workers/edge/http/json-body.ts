import { badRequest, HttpError, incompleteBody, malformedJson } from '../../../shared/http-error.ts'
import { MAX_BODY_BYTES } from '../../../shared/limits.ts'
import { NOT_JSON, UNKNOWN_FIELDS } from '../../../shared/sentences.ts'
import type * as z from 'zod/mini'

/**
 * The JSON value of a request's body; undefined when the body is `optional` and empty. Checks the
 * length first, then the type, then the text. Refuses a repeated key, because it is unclear which
 * value counts.
 */
export async function readJson(
  request: Request,
  { optional = false }: { optional?: boolean | undefined } = {},
): Promise<unknown> {
  const bytes = await readLimited(request)
  if (bytes.length === 0 && optional) return undefined
  if (!isJson(request.headers.get('Content-Type'))) throw new HttpError(415, NOT_JSON)

  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const value: unknown = JSON.parse(text)
    if (!hasRepeatedKey(text)) return value
  } catch {
    throw malformedJson()
  }
  throw badRequest('El cuerpo repite un campo')
}

/** Counts while it reads, because `Content-Length` may be wrong. */
async function readLimited(request: Request): Promise<Uint8Array> {
  const bytes = new Uint8Array(MAX_BODY_BYTES)
  let length = 0

  try {
    for await (const chunk of request.body ?? []) {
      if (length + chunk.length > MAX_BODY_BYTES) {
        throw new HttpError(413, `El cuerpo supera los ${MAX_BODY_BYTES} bytes`)
      }
      bytes.set(chunk, length)
      length += chunk.length
    }
  } catch (error) {
    throw error instanceof HttpError ? error : incompleteBody()
  }
  return bytes.subarray(0, length)
}

/** Whether a type is JSON: `application/json` or `+json`, in UTF-8 only (RFC 8259, 8.1). */
function isJson(contentType: string | null): boolean {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  // Splits and trims: a regular expression would take seconds on a long run of spaces.
  const charsets = parameters
    .map((parameter) => parameter.split('=').map((part) => part.trim()))
    .flatMap(([name, value]) => (name === 'charset' && value !== undefined ? [value] : []))
    .map((value) => value.replace(/^"(.*)"$/, '$1'))

  return (
    /^application\/(?:json|[a-z0-9.!#$&^_-]+\+json)$/.test(type.trim()) &&
    charsets.every((charset) => charset === 'utf-8' || charset === 'utf8')
  )
}

/** A JSON string, or one structural character. Numbers, literals and spaces are skipped. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g

/**
 * Whether any object of a JSON text, which must be valid, has a key twice. `JSON.parse` silently
 * keeps the last. Keys are compared after unescaping.
 */
function hasRepeatedKey(text: string): boolean {
  const open: (Set<string> | null)[] = []
  let isKey = false

  for (const [token] of text.matchAll(TOKEN)) {
    const keys = open.at(-1)
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null)
    else if (token === '}' || token === ']') open.pop()
    else if (token.startsWith('"') && isKey && keys) {
      const key = JSON.parse(token) as string
      if (keys.has(key)) return true
      keys.add(key)
    }
    isKey = (token === '{' || token === ',') && open.at(-1) !== null
  }
  return false
}

/** The value that a schema reads. Throws a 400 that names the field, without the client's input. */
export async function readBody(
  request: Request,
  schema: z.ZodMiniType,
  options: { optional?: boolean | undefined } = {},
): Promise<unknown> {
  const parsed = schema.safeParse(await readJson(request, options))
  if (parsed.success) return parsed.data

  const [issue] = parsed.error.issues
  if (issue?.code === 'unrecognized_keys') throw badRequest(UNKNOWN_FIELDS)
  const [field] = issue?.path ?? []
  if (field === undefined) throw badRequest('El cuerpo debe ser un objeto JSON')
  throw badRequest(`El campo ${String(field)} falta o no es válido`)
}
