import { randomBytes } from 'node:crypto'
import { databaseOver } from './database-over.ts'

/** Runs statements or one operation of the KV, for who knows the token. */
const WORKER = `
const asError = ({ message, cause }) => ({ message, cause: cause?.message })

const operations = {
  async POST(request, { DB }) {
    const queries = await request.json()
    return DB.batch(queries.map(({ sql, values }) => DB.prepare(sql).bind(...values)))
  },
  GET: (_, { BOARD }, name) => BOARD.get(name),
  PUT: async (request, { BOARD }, name) => BOARD.put(name, await request.arrayBuffer()),
  DELETE: (_, { BOARD }, name) => BOARD.delete(name),
}

export default {
  async fetch(request, env) {
    if (request.headers.get('token') !== env.TOKEN) return new Response(null, { status: 404 })
    const name = new URL(request.url).searchParams.get('name')
    try {
      return Response.json({ result: await operations[request.method](request, env, name) })
    } catch (error) {
      return Response.json({ error: asError(error) })
    }
  },
}
`

/** No real host: requests for it reach the Worker where another one answers all others. */
const HOST = 'storage.invalid'

interface StorageReply {
  result?: unknown
  error?: { message: string; cause?: string }
}

interface Init {
  method: string
  headers: Record<string, string>
  body?: string | ArrayBuffer
}

type Fetch = (url: string, init: Init) => Promise<{ json(): Promise<unknown> }>

/**
 * The D1 and KV of a Miniflare of ours, by way of a small Worker in it. One call is one request,
 * whatever the number of statements: Miniflare's own proxy takes three for each statement it makes,
 * halts the whole process during each of them, and starts a thread for that.
 */
export function createLocalStorage() {
  const token = randomBytes(24).toString('hex')

  return {
    /** The Worker's module. It needs the bindings `DB`, `BOARD` and `TOKEN`. */
    module: WORKER,
    token,
    /** Of the Worker, where it is not the only one. */
    routes: [`http://${HOST}/*`],
    /** The storage, through that Worker. */
    over(fetch: Fetch): { db: D1Database; kv: KVNamespace } {
      async function ask(method: string, name: string, body?: string | ArrayBuffer) {
        const response = await fetch(`http://${HOST}/?${new URLSearchParams({ name })}`, {
          method,
          headers: { token },
          ...(body !== undefined && { body }),
        })
        const { result, error } = (await response.json()) as StorageReply
        if (error) throw new Error(error.message, { cause: new Error(error.cause) })
        return result
      }
      return {
        db: databaseOver(
          async (queries) =>
            (await ask('POST', '', JSON.stringify(queries))) as D1Result<Record<string, unknown>>[],
        ),
        kv: namespaceOver(ask),
      }
    },
  }
}

/** The part of KV that tools use: read a text, write a text or bytes, delete. */
function namespaceOver(
  ask: (method: string, name: string, body?: string | ArrayBuffer) => Promise<unknown>,
): KVNamespace {
  const namespace = {
    get: (name: string) => ask('GET', name),
    put: (name: string, value: string | ArrayBuffer) => ask('PUT', name, value),
    delete: (name: string) => ask('DELETE', name),
  }
  return namespace as unknown as KVNamespace
}
