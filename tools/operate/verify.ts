/**
 * `npm run verify -- URL`: a smoke test of a running service, deployed or local. Sends a request to
 * each part and one with an unknown key. With `--key`, creates, tests and removes one webhook.
 */
import { Command } from '@commander-js/extra-typings'
import { argentineDay, DAY_MS, SECOND_MS } from '../../shared/argentine-time.ts'
import { PAIRS } from '../../shared/market/catalog.ts'
import { runCommand, UsageError, whole } from '../support/arguments.ts'
import { until } from '../support/until.ts'

const WEBHOOKS = '/api/v2/webhooks'
const WEBHOOK = {
  /** Reserved for examples (RFC 2606). At most one test delivery goes there. */
  url: 'https://example.com/cotizaciones/verify',
  currency: 'USD',
  origin: 'OFICIAL',
  enabled: false,
}
const BETWEEN_TRIES_MS = 5000
/** A deployed service may be far away and cold. */
const PATIENCE_MS = 20_000

const command = new Command('npm run verify --')
  .argument('<URL>')
  .option('--key <KEY>', 'an API key, to also check history and a webhook (removed at the end)')
  .addOption(
    whole('--wait <SECONDS>', 'how long to wait until the service has quotes', 0, 99_999).default(
      0,
    ),
  )

command.action(async (url, { key, wait }) => {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError(`${url} is no http or https URL`)

  const ask: Ask = (path, wanted) => answerOf(new URL(path, url), wanted)
  // A new deployment first needs its DNS name, its certificate and a cycle.
  const answers = () => ask('/api/v2/quotes').then(Boolean, () => false)
  const patience = { everyMs: BETWEEN_TRIES_MS, atMostMs: wait * SECOND_MS, failure: '' }
  if (wait > 0) await until(answers, patience).catch(() => {})
  const checks = [...PUBLIC, ...(key === undefined ? [] : keyedChecks(key))]
  let broken = 0
  for (const [name, run] of checks) {
    const problem = await run(ask).then(() => null, reasonOf)
    console.log(problem === null ? `ok    ${name}` : `FAIL  ${name}: ${problem}`)
    if (problem !== null) broken += 1
  }
  console.log(`${checks.length - broken} hold, ${broken} fail`)
  if (key === undefined) console.log('with --key, history and a webhook are checked as well')
  process.exitCode = broken === 0 ? 0 : 1
})

/** Sends a request and returns the answer's text. Throws if the answer is not as wanted. */
type Ask = (path: string, wanted?: Wanted) => Promise<string>
type Check = [name: string, run: (ask: Ask) => Promise<unknown>]

/** A request, by default a GET, or a POST if it has a body, and the expected answer. */
interface Wanted {
  method?: string
  sends?: Record<string, string>
  body?: unknown
  status?: number
  /** The answer's text must match this. Reading stops at the match. */
  has?: RegExp
}

/** Throws unless the answer is as wanted. Redirects are not followed. */
async function answerOf(url: URL, wanted: Wanted = {}): Promise<string> {
  const { sends, body, status = 200, has } = wanted
  const { method = body === undefined ? 'GET' : 'POST' } = wanted
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...sends },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  let text = ''
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part
    if (has?.test(text)) break
  }

  const why = /"error":"([^"]*)"/.exec(text)?.[1] ?? ''
  expect(
    response.status === status,
    `${url.pathname} answers ${response.status}, not ${status}: ${why}`,
  )
  expect(!has || has.test(text), `${url.pathname} lacks ${has}`)
  return text
}

const yesterday = argentineDay(Date.now() - DAY_MS)
const QUOTE = /"currency":"USD","name":"[^"]+","origin":"OFICIAL"/
/** A request to the MCP server that calls one of its tools. */
const TOOL_CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'dollar_quote', arguments: { origin: 'oficial' } },
}

/** Each check needs another part: Workers, KV, D1, the stream's object, static files, API keys. */
const PUBLIC: Check[] = [
  [
    'status: every pair, and not down',
    async (ask) => {
      const { status, pairs } = await json(ask, '/api/v2/status')
      expect(pairs.length === PAIRS.length, `it has ${pairs.length} pairs`)
      expect(status !== 'down', 'it says down: has a cycle run since the deployment?')
    },
  ],
  reads('a pair', '/api/v2/usd/oficial', { has: QUOTE }),
  reads('a date', `/api/v2/date/${yesterday}/usd/oficial`, { has: QUOTE }),
  reads('the stream', '/api/v2/stream?pairs=usd/oficial', { has: /event: quote\ndata: .*\n\n/ }),
  reads('MCP: a quote', '/api/mcp', { body: TOOL_CALL, has: /structuredContent/ }),
  reads('the page of all quotes', '/', { has: /<table/ }),
  reads('the page of sign-in', '/cuenta/entrar', { has: /<form/ }),
  reads('static files', '/static/icon.svg', { has: /<svg/ }),
  reads('an unknown API key: 401', WEBHOOKS, {
    sends: bearer(`cot_${'0'.repeat(43)}`),
    status: 401,
  }),
]

/** Creates a paused webhook, tests it once and deletes it, also after a failed check. */
function keyedChecks(key: string): Check[] {
  const sends = bearer(key)
  return [
    reads('the API key', '/api/v2/auth/check', { sends, has: /"valid":true/ }),
    reads('history', `/api/v2/history/usd/oficial?from=${yesterday}`, {
      sends,
      has: /"points":\[/,
    }),
    [
      'a webhook: created paused, read, tested, removed',
      async (ask) => {
        const operationId = crypto.randomUUID()
        const body = { ...WEBHOOK, operationId }
        const { webhook } = await json(ask, WEBHOOKS, { sends, body, status: 201 })
        const path = `${WEBHOOKS}/${webhook.id}`
        try {
          const own = await json(ask, path, { sends })
          expect(own.webhook.url === WEBHOOK.url, 'its url is another one')
          await ask(`${path}/test`, { sends, body: {}, status: 202 })
        } finally {
          await ask(path, { sends, method: 'DELETE', body: { version: webhook.version } })
        }
        await ask(path, { sends, status: 404 })
      },
    ],
  ]
}

function bearer(key: string): Record<string, string> {
  return { Authorization: `Bearer ${key}` }
}

function reads(name: string, path: string, wanted: Wanted): Check {
  return [name, (ask) => ask(path, wanted)]
}

/** The answer's JSON. It has no type, because each check compares what it reads. */
async function json(ask: Ask, path: string, wanted: Wanted = {}): Promise<any> {
  return JSON.parse(await ask(path, wanted))
}

function expect(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise)
}

/** Adds the cause of `fetch failed`, a message that does not name what failed. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? `no answer (${cause.message})` : message
}

await runCommand(command)
