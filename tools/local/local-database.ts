import { randomBytes } from 'node:crypto'
import { bytesOf, databaseOver, type Query, type SqlValue } from './database-over.ts'

/** Reads its statements from a request and answers their results, to who knows the token. */
const WORKER = `
const asError = ({ message, cause }) => ({ message, cause: cause?.message })

export default {
  async fetch(request, { DB, TOKEN }) {
    if (request.headers.get('token') !== TOKEN) return new Response(null, { status: 404 })
    try {
      const queries = await request.json()
      const results = await DB.batch(
        queries.map(({ sql, values }) => DB.prepare(sql).bind(...values)),
      )
      return Response.json({ results })
    } catch (error) {
      return Response.json({ error: asError(error) })
    }
  },
}
`

interface Answer {
  results?: D1Result<Record<string, unknown>>[]
  error?: { message: string; cause?: string }
}

type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string },
) => Promise<{ json(): Promise<unknown> }>

/**
 * The D1 of a Miniflare of ours, by way of a small Worker in it. One call is one request, whatever
 * the number of statements: Miniflare's own proxy takes three for each statement it makes, and
 * halts the whole process during each of them.
 */
export function createLocalDatabase() {
  const token = randomBytes(24).toString('hex')

  return {
    /** The Worker's module. It needs the bindings `DB` and `TOKEN`. */
    module: WORKER,
    token,
    /** The database, through that Worker. */
    over(fetch: Fetch): D1Database {
      return databaseOver(async (queries) => {
        const response = await fetch('http://database', {
          method: 'POST',
          headers: { token },
          body: JSON.stringify(queries.map(toSend)),
        })
        const { results, error } = (await response.json()) as Answer
        if (error) throw new Error(error.message, { cause: new Error(error.cause) })
        return results!
      })
    },
  }
}

/** D1 takes bytes as a list of numbers too. */
function toSend({ sql, values }: Query) {
  return { sql, values: values.map((value) => (isBytes(value) ? [...bytesOf(value)] : value)) }
}

function isBytes(value: SqlValue): value is ArrayBuffer | ArrayBufferView {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value)
}
