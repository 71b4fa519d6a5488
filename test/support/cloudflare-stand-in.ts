/**
 * As much of Cloudflare's API as a deployment asks of it, in memory: what was made is there. It says
 * yes to the rest, so it proves what wrangler sends and that our steps follow from its answers, and
 * nothing of the platform.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { statementsOf } from '../../tools/operate/local/migrate.ts'
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

type Answer = { status?: number; result: unknown }
/** What is asked for by `METHOD path`, of the names in the path and the body. */
type Route = [pattern: RegExp, answer: (name: string, body: string) => Answer]

const ACCOUNT = /^\/client\/v4(\/accounts\/[^/]+)?/

export async function openStandIn() {
  const account = {
    databases: [] as { uuid: string; name: string }[],
    namespaces: [] as { id: string; title: string }[],
    /** Only one is ever made. */
    queues: [] as { queue_name: string; consumers: Consumer[] }[],
    /** The last upload of each Worker that is there. */
    workers: new Map<string, Upload>(),
    /** Of its only database, in the order in which they were applied. */
    migrations: [] as string[],
  }
  const calls: string[] = []
  const routes: Route[] = [...resourceRoutes(account), ...workerRoutes(account)]
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://stand-in')
    const call = `${request.method} ${pathname.replace(ACCOUNT, '')}`
    calls.push(call)
    const { status = 200, result } = answerOf(routes, call, await text(request))
    const isOk = status < 400
    // Lists here have one page.
    const isOver = Array.isArray(result) && Number(searchParams.get('page') ?? 1) > 1
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        success: isOk,
        errors: isOk ? [] : [result],
        messages: [],
        result: isOk ? (isOver ? [] : result) : null,
        result_info: { page: 1, total_pages: 1 },
      }),
    )
  })
  const { port, ...listening } = await listen(server)
  /** For CLOUDFLARE_API_BASE_URL; the calls are `METHOD path`, in order. */
  return { ...account, ...listening, url: `http://127.0.0.1:${port}/client/v4`, calls }
}

function answerOf(routes: readonly Route[], call: string, body: string): Answer {
  for (const [pattern, answer] of routes) {
    const match = pattern.exec(call)
    if (match) return answer(match[1] ?? '', body)
  }
  return { result: {} }
}

type Account = Pick<StandIn, 'databases' | 'namespaces' | 'queues' | 'workers' | 'migrations'>

function resourceRoutes({ databases, namespaces, queues, migrations }: Account) {
  return [
    [/^GET \/d1\/database$/, () => ({ result: databases })],
    [
      /^POST \/d1\/database$/,
      (_, body) => {
        databases.push({ uuid: `d1-${databases.length + 1}`, name: fieldOf(body, 'name') })
        return { result: databases.at(-1) }
      },
    ],
    [/time_travel\/bookmark$/, () => ({ result: { bookmark: '00000085-0000024c' } })],
    [
      /^POST \/d1\/database\/[^/]+\/query$/,
      (_, body) => {
        const results = resultsOf(fieldOf(body, 'sql'), migrations)
        return { result: [{ results, success: true, meta: { duration: 0 } }] }
      },
    ],
    [/^GET \/d1\/database\/[^/]+$/, () => ({ result: databases[0] })],
    [/^GET \/storage\/kv\/namespaces$/, () => ({ result: namespaces })],
    [
      /^POST \/storage\/kv\/namespaces$/,
      (_, body) => {
        namespaces.push({ id: 'a'.repeat(32), title: fieldOf(body, 'title') })
        return { result: namespaces.at(-1) }
      },
    ],
    [/^GET \/queues$/, () => ({ result: queues })],
    [
      /^POST \/queues$/,
      (_, body) => {
        const none = {
          queue_id: 'q',
          producers_total_count: 0,
          consumers_total_count: 0,
          consumers: [],
        }
        queues.push({ ...none, queue_name: fieldOf(body, 'queue_name') })
        return { result: queues.at(-1) }
      },
    ],
    [/^GET \/queues\/[^/]+\/consumers$/, () => ({ result: queues[0]!.consumers })],
    [
      /^POST \/queues\/[^/]+\/consumers$/,
      (_, body) => {
        const script = fieldOf(body, 'script_name')
        queues[0]!.consumers.push({ consumer_id: 'c', type: 'worker', script })
        return { result: {} }
      },
    ],
  ] satisfies Route[]
}

/** What a query about migrations finds; one that applies a migration is kept. */
function resultsOf(sql: string, migrations: string[]): object[] {
  const applied = /INSERT INTO "?d1_migrations"? .*values \('([^']+)'/is.exec(sql)?.[1]
  if (applied) migrations.push(applied)
  if (/^\s*SELECT .*d1_migrations/is.test(sql))
    return migrations.map((name, id) => ({ id, name, applied_at: '' }))
  return /^\s*select sql from sqlite_master/i.test(sql) ? migrations.flatMap(madeBy) : []
}

/** What a database shows of a migration that made it. */
function madeBy(name: string): { sql: string }[] {
  return statementsOf(readFileSync(`migrations/${name}`, 'utf8')).map((sql) => ({
    sql: sql
      .replaceAll(/^--.*$/gm, '')
      .trim()
      .replace(/;$/, ''),
  }))
}

function workerRoutes({ workers }: Account) {
  return [
    [
      /^GET \/workers\/services\/([^/]+)$/,
      (name) =>
        workers.has(name)
          ? { result: { default_environment: { script: { last_deployed_from: 'wrangler' } } } }
          : { status: 404, result: { code: 10090, message: 'service not found' } },
    ],
    [
      /^GET \/workers\/scripts\/([^/]+)\/secrets$/,
      (name) =>
        workers.has(name)
          ? { result: [] }
          : { status: 404, result: { code: 10007, message: 'This Worker does not exist' } },
    ],
    [/^GET \/workers\/scripts\/[^/]+\/deployments$/, () => ({ result: { deployments: [] } })],
    [
      /^(?:PUT|POST) \/workers\/scripts\/([^/]+)(?:\/versions)?$/,
      (name, body) => {
        workers.set(name, uploadIn(body))
        const resources = { script: { etag: 'e' }, script_runtime: {} }
        return { result: { id: 'v-1', startup_time_ms: 1, deployment_id: 'v-1', resources } }
      },
    ],
    [/\/settings$/, () => ({ result: { bindings: [], tags: [] } })],
    [
      /^GET \/workers\/workers\/([^/]+)$/,
      (name) => ({ result: { id: name, name, tags: [], subdomain: {} } }),
    ],
    [/assets-upload-session$/, () => ({ result: { jwt: 'a.b.c', buckets: [] } })],
    [
      /domains\/changeset$/,
      () => ({ result: { added: [], removed: [], updated: [], conflicting: [] } }),
    ],
  ] satisfies Route[]
}

/** The part named `metadata` of a multipart upload. */
function uploadIn(body: string): Upload {
  const [, json] = /name="metadata"\r\n(?:.*\r\n)*?\r\n([\s\S]*?)\r\n--/.exec(body)!
  return JSON.parse(json!) as Upload
}

function fieldOf(body: string, name: string): string {
  return String((JSON.parse(body) as Record<string, unknown>)[name])
}
