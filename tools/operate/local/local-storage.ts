import { randomBytes } from 'node:crypto'
import { databaseOver } from './database-over.ts'
import { LOCAL_BOARD, LOCAL_DATABASE } from './storage.ts'

/** Runs statements or reads one text from KV, for requests with the token. */
const WORKER = `
export default {
  async fetch(request, { DB, BOARD, TOKEN }) {
    if (request.headers.get('token') !== TOKEN) return new Response(null, { status: 404 })
    const { queries, name } = await request.json()
    try {
      const result = queries
        ? await DB.batch(queries.map(({ sql, values }) => DB.prepare(sql).bind(...values)))
        : await BOARD.get(name)
      return Response.json({ result })
    } catch ({ message, cause }) {
      return Response.json({ error: { message, cause: cause?.message } })
    }
  },
}
`

/** Not a real host. Requests to it reach this Worker, all others reach the service. */
const HOST = 'storage.invalid'

interface StorageReply {
  result?: unknown
  error?: { message: string; cause?: string }
}

type Init = { method: string; headers: Record<string, string>; body: string }
type Fetch = (url: string, init: Init) => Promise<{ json(): Promise<unknown> }>

/**
 * Gives access to D1 and KV of a Miniflare through a small Worker in it. One request can carry many
 * statements. Miniflare's own proxy starts a thread and makes three requests for each statement,
 * each of which blocks the process.
 */
export function createLocalStorage() {
  const token = randomBytes(24).toString('hex')

  return {
    /** The Worker, for Miniflare. */
    worker: {
      name: 'storage',
      compatibilityDate: '2026-10-27',
      modules: [{ type: 'ESModule' as const, path: 'storage.js', contents: WORKER }],
      routes: [`http://${HOST}/*`],
      bindings: { TOKEN: token },
      d1Databases: { DB: LOCAL_DATABASE },
      kvNamespaces: { BOARD: LOCAL_BOARD },
    },
    /** The database and KV, accessed through that Worker. */
    over(fetch: Fetch): { db: D1Database; kv: KVNamespace } {
      async function ask(body: object): Promise<unknown> {
        const init = { method: 'POST', headers: { token }, body: JSON.stringify(body) }
        const { result, error } = (await (
          await fetch(`http://${HOST}/`, init)
        ).json()) as StorageReply
        if (error) throw new Error(error.message, { cause: new Error(error.cause) })
        return result
      }
      return {
        db: databaseOver(
          async (queries) => (await ask({ queries })) as D1Result<Record<string, unknown>>[],
        ),
        kv: { get: (name: string) => ask({ name }) } as unknown as KVNamespace,
      }
    },
  }
}
