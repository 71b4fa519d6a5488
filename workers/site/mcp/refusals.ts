/** Refusals that come before the protocol is spoken, in its own form: JSON-RPC without an id. */
import { BODY_NOT_WHOLE } from '../../../shared/sentences.ts'

/** The codes that JSON-RPC has for them; -32000 is the first of a server's own. */
const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const SERVER_ERROR = -32000

export const tooLarge = () => refuse(413, SERVER_ERROR, 'El cuerpo supera los 16 KiB')

export const cutShort = () => refuse(400, PARSE_ERROR, BODY_NOT_WHOLE)

/** Newer versions of the protocol have no batches, and one would be many requests at the price of one. */
export const batchRefused = () =>
  refuse(400, INVALID_REQUEST, 'Un pedido lleva un solo mensaje: las listas no se admiten')

export const tooMany = (retryAfterSeconds: number) =>
  refuse(429, SERVER_ERROR, `Demasiados pedidos: probá de nuevo en ${retryAfterSeconds} segundos`, {
    'Retry-After': String(retryAfterSeconds),
  })

function refuse(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  const body = { jsonrpc: '2.0', id: null, error: { code, message } }
  return Response.json(body, { status, headers })
}
