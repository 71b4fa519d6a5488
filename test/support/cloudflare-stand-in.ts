/**
 * As much of Cloudflare's API as a deployment asks of it, in memory: what was made is there, a
 * queue takes one consumer. It says yes to the rest, so it proves what wrangler sends and that our
 * steps follow from its answers, and nothing of the platform.
 */
import { readFileSync } from 'node:fs'
import { statementsOf } from '../../tools/operate/local/migrate.ts'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Queue {
  queue_id: string
  queue_name: string
  consumers: { consumer_id: string; type: 'worker'; script: string }[]
  producers_total_count: number
  consumers_total_count: number
}

/** The metadata of an uploaded Worker. */
export interface Upload {
  bindings: { name: string; type: string; text?: string }[]
  observability?: { enabled: boolean; head_sampling_rate: number }
}

export interface StandIn extends AsyncDisposable {
  /** For CLOUDFLARE_API_BASE_URL. */
  url: string
  databases: { uuid: string; name: string }[]
  queues: Queue[]
  /** The last upload of each Worker that is there. */
  workers: Map<string, Upload>
  /** Of its only database, in the order in which they were applied. */
  migrations: string[]
  /** `METHOD path`, in order. */
  calls: string[]
}

interface Call {
  method: string
  path: string
  query: URLSearchParams
  body: string
  json: () => Record<string, unknown>
}

type Answer = { status?: number; result: unknown }
type Route = [pattern: RegExp, answer: (call: Call, name: string, id: string) => Answer]

const ACCOUNT = /^\/client\/v4(\/accounts\/[^/]+)?/

export async function openStandIn(): Promise<StandIn> {
  const state = {
    databases: [] as StandIn['databases'],
    queues: [] as Queue[],
    workers: new Map<string, Upload>(),
    migrations: [] as string[],
    calls: [] as string[],
  }
  const routes = routesOf(state)
  const server = createServer(async (request, response) => {
    const call = await readCall(request)
    state.calls.push(`${call.method} ${call.path}`)
    const { status = 200, result } = answerOf(routes, call)
    const isOk = status < 400
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        success: isOk,
        errors: isOk ? [] : [result],
        messages: [],
        result: isOk ? result : null,
        result_info: { page: 1, total_pages: 1 },
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    ...state,
    url: `http://127.0.0.1:${port}/client/v4`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function answerOf(routes: readonly Route[], call: Call): Answer {
  for (const [pattern, answer] of routes) {
    const match = pattern.exec(`${call.method} ${call.path}`)
    if (match) return answer(call, match[1] ?? '', match[2] ?? '')
  }
  return { result: {} }
}

/** Lists here have one page. */
function firstPage(query: URLSearchParams, list: unknown[]): Answer {
  return { result: Number(query.get('page') ?? 1) > 1 ? [] : list }
}

type State = Omit<StandIn, 'url' | typeof Symbol.asyncDispose>

function routesOf({ databases, queues, workers, migrations }: State): Route[] {
  const namespaces: { id: string; title: unknown }[] = []
  const queueOf = (id: string) => queues.find((queue) => queue.queue_id === id)!

  return [
    [/^GET \/d1\/database$/, ({ query }) => firstPage(query, databases)],
    [
      /^POST \/d1\/database$/,
      ({ json }) => {
        const made = { uuid: `d1-${databases.length + 1}`, name: String(json()['name']) }
        databases.push(made)
        return { result: made }
      },
    ],
    [/time_travel\/bookmark$/, () => ({ result: { bookmark: '00000085-0000024c' } })],
    [
      /^POST \/d1\/database\/[^/]+\/query$/,
      ({ json }) => {
        const sql = String(json()['sql'])
        const name = /INSERT INTO "?d1_migrations"? .*values \('([^']+)'/is.exec(sql)?.[1]
        if (name) migrations.push(name)
        const isList = /^\s*SELECT .*d1_migrations/is.test(sql)
        const isSchema = /^\s*select sql from sqlite_master/i.test(sql)
        const results = isList
          ? migrations.map((name, id) => ({ id, name, applied_at: '' }))
          : isSchema
            ? migrations.flatMap(made)
            : []
        return { result: [{ results, success: true, meta: { duration: 0 } }] }
      },
    ],
    [/^GET \/d1\/database\/([^/]+)$/, () => ({ result: databases[0] })],
    [/^GET \/storage\/kv\/namespaces$/, ({ query }) => firstPage(query, namespaces)],
    [
      /^POST \/storage\/kv\/namespaces$/,
      ({ json }) => {
        namespaces.push({ id: `${namespaces.length}`.padStart(32, 'a'), title: json()['title'] })
        return { result: namespaces.at(-1) }
      },
    ],
    [
      /^GET \/queues$/,
      ({ query }) => {
        const names = query.getAll('name')
        const asked = queues.filter(
          ({ queue_name: name }) => names.length === 0 || names.includes(name),
        )
        return firstPage(query, asked)
      },
    ],
    [
      /^POST \/queues$/,
      ({ json }) => {
        const name = String(json()['queue_name'])
        queues.push({
          queue_id: `q-${name}`,
          queue_name: name,
          consumers: [],
          producers_total_count: 0,
          consumers_total_count: 0,
        })
        return { result: queues.at(-1) }
      },
    ],
    [/^GET \/queues\/([^/]+)\/consumers$/, (_, id) => ({ result: queueOf(id).consumers })],
    [
      /^POST \/queues\/([^/]+)\/consumers$/,
      ({ json }, id) => {
        const { consumers } = queueOf(id)
        if (consumers.length > 0)
          return { status: 400, result: { code: 11004, message: 'the queue has a consumer' } }
        consumers.push({ consumer_id: 'c', type: 'worker', script: String(json()['script_name']) })
        return { result: consumers[0] }
      },
    ],
    [
      /^DELETE \/queues\/([^/]+)\/consumers\//,
      (_, id) => {
        queueOf(id).consumers.length = 0
        return { result: {} }
      },
    ],
    [
      /^GET \/workers\/services\/([^/]+)$/,
      (_, name) =>
        workers.has(name)
          ? { result: { default_environment: { script: { last_deployed_from: 'wrangler' } } } }
          : { status: 404, result: { code: 10090, message: 'service not found' } },
    ],
    [
      /^DELETE \/workers\/services\/([^/]+)$/,
      (_, name) => {
        workers.delete(name)
        return { result: {} }
      },
    ],
    [
      /^GET \/workers\/scripts\/([^/]+)\/secrets$/,
      (_, name) => {
        const upload = workers.get(name)
        if (!upload)
          return { status: 404, result: { code: 10007, message: 'This Worker does not exist' } }
        return { result: upload.bindings.filter(({ type }) => type === 'secret_text') }
      },
    ],
    [/^GET \/workers\/scripts\/[^/]+\/deployments$/, () => ({ result: { deployments: [] } })],
    [
      /^(?:PUT|POST) \/workers\/scripts\/([^/]+)(?:\/versions)?$/,
      ({ body }, name) => {
        const upload = uploadIn(body)
        const kept = workers
          .get(name)
          ?.bindings.filter(
            (old) =>
              old.type === 'secret_text' && !upload.bindings.some((now) => now.name === old.name),
          )
        workers.set(name, { ...upload, bindings: [...upload.bindings, ...(kept ?? [])] })
        const resources = { script: { etag: 'e' }, script_runtime: {} }
        return { result: { id: 'v-1', startup_time_ms: 1, deployment_id: 'v-1', resources } }
      },
    ],
    [/\/settings$/, () => ({ result: { bindings: [], tags: [] } })],
    [
      /^GET \/workers\/workers\/([^/]+)$/,
      (_, name) => ({ result: { id: name, name, tags: [], subdomain: {} } }),
    ],
    [/assets-upload-session$/, () => ({ result: { jwt: 'a.b.c', buckets: [] } })],
    [
      /domains\/changeset$/,
      () => ({ result: { added: [], removed: [], updated: [], conflicting: [] } }),
    ],
  ]
}

/** The part named `metadata` of a multipart upload. */
function uploadIn(body: string): Upload {
  const [, json] = /name="metadata"\r\n(?:.*\r\n)*?\r\n([\s\S]*?)\r\n--/.exec(body)!
  const upload = JSON.parse(json!) as Upload
  return { ...upload, bindings: upload.bindings.filter(({ type }) => type !== 'inherit') }
}

async function readCall(request: IncomingMessage): Promise<Call> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const url = new URL(request.url!, 'http://stand-in')
  return {
    method: request.method!,
    path: url.pathname.replace(ACCOUNT, ''),
    query: url.searchParams,
    body,
    json: () => JSON.parse(body) as Record<string, unknown>,
  }
}

/** What a database shows of a migration that made it. */
function made(name: string): { sql: string }[] {
  return statementsOf(readFileSync(`migrations/${name}`, 'utf8')).map((sql) => ({
    sql: sql
      .replaceAll(/^--.*$/gm, '')
      .trim()
      .replace(/;$/, ''),
  }))
}
