/**
 * The part of Cloudflare's API that a deployment uses, in memory. It remembers what was created,
 * and accepts everything else. So tests with it show what wrangler sends and that our steps follow
 * from the answers, but nothing about the platform.
 */
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { listen } from '../../tools/support/listen.ts'

interface Consumer {
  consumer_id: string
  type: 'worker'
  script: string
}

/** The metadata of an uploaded Worker. */
interface Upload {
  bindings: { name: string; type: string; text?: string }[]
  observability?: { enabled: boolean; head_sampling_rate: number }
}

export type StandIn = Awaited<ReturnType<typeof openStandIn>>

const ACCOUNT = /^\/client\/v4(\/accounts\/[^/]+)?/

export async function openStandIn() {
  const account = {
    databases: [] as { uuid: string; name: string }[],
    namespaces: [] as { id: string; title: string }[],
    /** There is never more than one. */
    queues: [] as { queue_name: string; consumers: Consumer[] }[],
    /** The last upload of each existing Worker. */
    workers: new Map<string, Upload>(),
    /** The only database. */
    sqlite: new DatabaseSync(':memory:'),
  }
  const calls: string[] = []
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://stand-in')
    const call = `${request.method} ${pathname.replace(ACCOUNT, '')}`
    calls.push(call)
    const result = answer(account, call, await text(request))
    const isOk = !(result instanceof Error)
    // Lists have one page here.
    const isOver = Array.isArray(result) && Number(searchParams.get('page') ?? 1) > 1
    response.writeHead(isOk ? 200 : 404, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        success: isOk,
        errors: isOk ? [] : [{ code: result.cause, message: result.message }],
        messages: [],
        result: isOk ? (isOver ? [] : result) : null,
        result_info: { page: 1, total_pages: 1 },
      }),
    )
  })
  const { port, ...listening } = await listen(server)
  /** `url` is for CLOUDFLARE_API_BASE_URL; `calls` are `METHOD path`, in order. */
  return { ...account, ...listening, url: `http://127.0.0.1:${port}/client/v4`, calls }
}

type Account = Pick<StandIn, 'databases' | 'namespaces' | 'queues' | 'workers' | 'sqlite'>

/** The answer to `METHOD path`, once that is done; an error has the code of the real API. */
function answer(account: Account, call: string, body: string): unknown {
  const { databases, namespaces, queues, workers, sqlite } = account
  const field = (name: string) => String((JSON.parse(body) as Record<string, unknown>)[name])
  const consumers = queues[0]?.consumers ?? []
  switch (call) {
    case 'GET /d1/database':
      return databases
    case 'POST /d1/database':
      return added(databases, { uuid: `d1-${databases.length + 1}`, name: field('name') })
    case 'GET /storage/kv/namespaces':
      return namespaces
    case 'POST /storage/kv/namespaces':
      return added(namespaces, { id: 'a'.repeat(32), title: field('title') })
    case 'GET /queues':
      return queues
    case 'POST /queues':
      return added(queues, { ...NEW_QUEUE, consumers: [], queue_name: field('queue_name') })
    case 'GET /queues/q/consumers':
      return consumers
    case 'POST /queues/q/consumers':
      return added(consumers, { consumer_id: 'c', type: 'worker', script: field('script_name') })
  }
  if (call.endsWith('/time_travel/bookmark')) return { bookmark: '00000085-0000024c' }
  if (/^POST \/d1\/database\/[^/]+\/query$/.test(call))
    return rowsOf(sqlite, field('sql')).map((results) => ({
      results,
      success: true,
      meta: { duration: 0 },
    }))
  if (/^GET \/d1\/database\/[^/]+$/.test(call)) return databases[0]
  if (call.endsWith('/settings')) return { bindings: [], tags: [] }
  if (call.endsWith('/assets-upload-session')) return { jwt: 'a.b.c', buckets: [] }
  if (call.endsWith('/domains/changeset'))
    return { added: [], removed: [], updated: [], conflicting: [] }
  if (call.endsWith('/deployments')) return { deployments: [] }

  const [, verb, kind, name = '', rest] =
    /^(\w+) \/workers\/(services|scripts|workers)\/([^/]+)(?:\/(secrets|versions))?$/.exec(call) ??
    []
  if (verb === 'GET' && kind === 'services')
    return workers.has(name)
      ? { default_environment: { script: { last_deployed_from: 'wrangler' } } }
      : new Error('service not found', { cause: 10_090 })
  if (verb === 'GET' && rest === 'secrets')
    return (
      workers.get(name)?.bindings.filter(({ type }) => /^(secret_text|inherit)$/.test(type)) ??
      new Error('This Worker does not exist', { cause: 10_007 })
    )
  if (verb === 'GET' && kind === 'workers') return { id: name, name, tags: [], subdomain: {} }
  if (verb === 'GET' || kind !== 'scripts' || rest === 'secrets') return {}

  workers.set(name, uploadIn(body))
  const resources = { script: { etag: 'e' }, script_runtime: {} }
  return { id: 'v-1', startup_time_ms: 1, deployment_id: 'v-1', resources }
}

const NEW_QUEUE = { queue_id: 'q', producers_total_count: 0, consumers_total_count: 0 }

function added<Made>(list: Made[], made: Made): Made {
  list.push(made)
  return made
}

/** Runs the text of a query, which may have several statements, and returns the rows of each. */
function rowsOf(database: DatabaseSync, sql: string): object[] {
  // A migration has triggers, which contain statements of their own.
  if (/^\s*(CREATE|INSERT INTO "?d1_migrations)/im.test(sql)) return [database.exec(sql) ?? []]
  return sql
    .split(/;\s*(?:\n|$)/)
    .filter((statement) => statement.trim())
    .map((statement) => database.prepare(statement).all())
}

/** The part named `metadata` of a multipart upload. */
function uploadIn(body: string): Upload {
  const [, json] = /name="metadata"\r\n(?:.*\r\n)*?\r\n([\s\S]*?)\r\n--/.exec(body)!
  return JSON.parse(json!) as Upload
}
