/**
 * `npm run verify -- URL`: a smoke check of a running service, deployed or local. It makes one read
 * of each kind, checks the gate, and with a key creates, tests and removes one webhook.
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
  .option('--key <KEY>', 'an API key, to check history and a webhook from creation to removal too')
  .addOption(
    whole('--wait <SECONDS>', 'how long to wait until the service has quotes', 0, 99_999).default(
      0,
    ),
  )

command.action(async (url, { key, wait }) => {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError(`${url} is no http or https URL`)

  const ask: Ask = (path, wanted) => answerOf(new URL(path, url), wanted)
  // For the first cycle, a new name or a certificate.
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
  if (key === undefined) console.log('with --key history and webhooks are asked as well')
  process.exitCode = broken === 0 ? 0 : 1
})

type Ask = (path: string, wanted?: Wanted) => Promise<Answer>
type Check = [name: string, run: (ask: Ask) => Promise<unknown>]

interface Answer {
  headers: Headers
  text: string
}

/** A request, by default a GET, or a POST with a body, and the answer that it is to have. */
interface Wanted {
  method?: string
  sends?: Record<string, string>
  body?: unknown
  status?: number
  /** The media type; null for an answer without one. */
  type?: string | null
  headers?: Readonly<Record<string, string | RegExp>>
  /** What its text must match. Reading stops at the match. */
  has?: RegExp
}

/** Throws unless the answer is as wanted. Redirects are not followed. */
async function answerOf(url: URL, wanted: Wanted = {}): Promise<Answer> {
  const { sends, body, status = 200, type = 'application/json', has } = wanted
  const { method = body === undefined ? 'GET' : 'POST' } = wanted
  const patience = AbortSignal.timeout(PATIENCE_MS)
  const response = await fetch(url, {
    method,
    headers: {
      // Cloudflare weakens the ETag of a response that it compresses.
      'Accept-Encoding': 'identity',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...sends,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'manual',
    signal: patience,
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
  const ofType = type === null ? {} : { 'Content-Type': new RegExp(`^${type}(;|$)`) }
  for (const [name, value] of Object.entries({ ...ofType, ...wanted.headers })) {
    const found = response.headers.get(name) ?? ''
    const isRight = typeof value === 'string' ? value === found : value.test(found)
    expect(isRight, `${url.pathname} has ${name}: ${found || '(none)'}, not ${value}`)
  }
  expect(!has || has.test(text), `${url.pathname} lacks ${has}`)
  return { headers: response.headers, text }
}

const CORS = { 'Access-Control-Allow-Origin': '*' }
const NO_STORE = { 'Cache-Control': 'no-store' }
const PAGE_HEADERS = {
  'Content-Security-Policy': /default-src/,
  'X-Content-Type-Options': 'nosniff',
}
const yesterday = argentineDay(Date.now() - DAY_MS)
const QUOTE = /"currency":"USD","name":"[^"]+","origin":"OFICIAL"/
/** A call of a tool for assistants. */
const TOOL_CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'dollar_quote', arguments: { origin: 'oficial' } },
}

const PUBLIC: Check[] = [
  [
    'status: every pair, and not down',
    async (ask) => {
      const headers = { 'Cache-Control': 'public, max-age=10' }
      const { status, pairs } = await json(ask, '/api/v2/status', { headers })
      expect(pairs.length === PAIRS.length, `it has ${pairs.length} pairs`)
      expect(status !== 'down', 'it says down: has a cycle run since the deployment?')
    },
  ],
  reads('a pair', '/api/v2/usd/oficial', { has: QUOTE, headers: { ...CORS, ETag: /./ } }),
  reads('all quotes', '/api/v2/quotes', { has: QUOTE }),
  reads('version 1', '/api/usd/oficial', { has: /"compra":/ }),
  reads('CSV', '/api/v2/quotes?format=csv', { type: 'text/csv', has: /^USD,[^,]+,OFICIAL,/m }),
  reads('a conversion', '/api/v2/convert?amount=100&from=USD&to=ARS', { has: /"result":/ }),
  reads('a date', `/api/v2/date/${yesterday}/usd/oficial`, { has: QUOTE }),
  reads('the rate of invoices', `/api/v2/invoicing/usd?date=${yesterday}`, { has: /"USD"/ }),
  reads('the stream', '/api/v2/stream?pairs=usd/oficial', {
    type: 'text/event-stream',
    has: /event: quote\ndata: .*\n\n/,
  }),
  [
    'an ETag that is known: 304',
    async (ask) => {
      const { headers } = await ask('/api/v2/usd/oficial')
      const sends = { 'If-None-Match': headers.get('ETag') ?? '' }
      await ask('/api/v2/usd/oficial', { sends, status: 304, type: null })
    },
  ],
  reads('MCP: a quote', '/api/mcp', {
    body: TOOL_CALL,
    type: null,
    headers: { ...CORS, ...NO_STORE },
    has: /structuredContent/,
  }),
  reads('the page of all quotes', '/', { type: 'text/html', headers: PAGE_HEADERS }),
  reads('the page of sign-in', '/cuenta/entrar', { type: 'text/html', headers: NO_STORE }),
  reads('the reference', '/openapi/quotes.json', { has: /"openapi":"3/ }),
  reads('static files', '/static/icon.svg', { type: 'image/svg\\+xml' }),
  reads('a pair that is none: 404', '/api/v2/date/2026-01-02/usd/nada', {
    status: 404,
    headers: NO_STORE,
  }),
  reads('a page that is none: 404', '/nada/nada', { status: 404, type: 'text/html' }),
  reads('the gate without a key: 401', '/api/v2/auth/check', { status: 401, headers: NO_STORE }),
  reads('the gate with an unknown key: 401', WEBHOOKS, {
    sends: bearer(`cot_${'0'.repeat(43)}`),
    status: 401,
    headers: NO_STORE,
  }),
]

/** The webhook is created paused, tested once and deleted, whatever came between. */
function keyedChecks(key: string): Check[] {
  const sends = bearer(key)
  const headers = NO_STORE
  return [
    reads('the gate with the key, and its limits', '/api/v2/auth/check', {
      sends,
      headers: { ...headers, 'RateLimit-Limit': /^\d+$/, 'RateLimit-Remaining': /^\d+$/ },
    }),
    reads('history', `/api/v2/history/usd/oficial?from=${yesterday}`, { sends, headers }),
    [
      'a webhook: created paused, read, tested, removed',
      async (ask) => {
        const operationId = crypto.randomUUID()
        const body = { ...WEBHOOK, operationId }
        const { webhook } = await json(ask, WEBHOOKS, { sends, headers, body, status: 201 })
        const path = `${WEBHOOKS}/${webhook.id}`
        try {
          const own = await json(ask, path, { sends, headers })
          expect(own.webhook.url === WEBHOOK.url, 'it reads as another one')
          await ask(`${path}/test`, { sends, headers, body: {}, status: 202 })
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
async function json(ask: Ask, path: string, wanted: Wanted): Promise<any> {
  return JSON.parse((await ask(path, wanted)).text)
}

function expect(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise)
}

/** `fetch failed` alone does not say what failed. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? `no answer (${cause.message})` : message
}

await runCommand(command)
