/**
 * `npm run verify -- URL`: a smoke check of a running service, deployed or local: one read of each
 * kind, the gate, and with a key the life of one webhook. Promises themselves are tested elsewhere.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from '@commander-js/extra-typings'
import { argentineDay, DAY_MS } from '../../shared/argentine-time.ts'
import { PAIRS } from '../../shared/market/catalog.ts'
import { runCommand, UsageError, whole } from '../support/arguments.ts'

const WEBHOOKS = '/api/v2/webhooks'
/** Reserved for examples (RFC 2606): at most the one test is sent there. */
const DESTINATION = 'https://example.com/cotizaciones/verify'
const BETWEEN_TRIES_MS = 5000
/** A deployed service may be far away and cold. */
const PATIENCE_MS = 20_000

const command = new Command('npm run verify --')
  .argument('<URL>')
  .option('--key <KEY>', 'an API key: history and the life of a webhook are asked as well')
  .addOption(
    whole('--wait <SECONDS>', 'how long it may take until it has quotes', 0, 99_999).default(0),
  )

command.action(async (url, { key, wait }) => {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError(`${url} is no http or https URL`)

  const ask: Ask = (path, request) => send(new URL(path, url), request)
  await untilReadsAnswer(ask, wait)
  const checks = [...PUBLIC, ...(key === undefined ? [] : keyedChecks(key))]
  let broken = 0
  for (const { name, run } of checks) {
    const problem = await run(ask).then(() => null, reasonOf)
    console.log(problem === null ? `ok    ${name}` : `FAIL  ${name}: ${problem}`)
    if (problem !== null) broken += 1
  }
  console.log(`${checks.length - broken} hold, ${broken} fail`)
  if (key === undefined) console.log('with --key history and webhooks are asked as well')
  process.exitCode = broken === 0 ? 0 : 1
})

type Ask = (path: string, request?: HttpRequest) => ReturnType<typeof send>

interface HttpRequest {
  method?: string
  headers?: Record<string, string>
  body?: unknown
  /** When enough of an endless body was read. */
  until?: (text: string) => boolean
}

/** The answer, read whole; redirects are not followed. */
async function send(url: URL, { method = 'GET', headers = {}, body, until }: HttpRequest = {}) {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), PATIENCE_MS)
  try {
    const response = await fetch(url, {
      method,
      headers: {
        // Cloudflare weakens the ETag of a response that it compresses.
        'Accept-Encoding': 'identity',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: controller.signal,
    })
    let text = ''
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part
      if (until?.(text)) break
    }
    return { status: response.status, headers: response.headers, text }
  } finally {
    clearTimeout(timer)
    // Also ends a stream of which enough was read.
    controller.abort()
  }
}

interface Check {
  name: string
  run: (ask: Ask) => Promise<unknown>
}

interface Wanted {
  status?: number
  /** The media type. */
  type?: string
  headers?: Readonly<Record<string, string | RegExp>>
  /** What its text must match. */
  has?: RegExp
  /** When enough of an endless answer was read. */
  until?: (text: string) => boolean
}

const CORS = { 'Access-Control-Allow-Origin': '*' }
const NO_STORE = { 'Cache-Control': 'no-store' }
const PAGE_HEADERS = {
  'Content-Security-Policy': /default-src/,
  'X-Content-Type-Options': 'nosniff',
}
const yesterday = argentineDay(Date.now() - DAY_MS)
const QUOTE = /"currency":"USD","name":"[^"]+","origin":"OFICIAL"/

const PUBLIC: Check[] = [
  {
    name: 'status: every pair, and not down',
    run: async (ask) => {
      const { status, pairs } = await json(ask, '/api/v2/status', {
        headers: { 'Cache-Control': 'public, max-age=10' },
      })
      expect(pairs.length === PAIRS.length, `it has ${pairs.length} pairs`)
      expect(status !== 'down', 'it says down: has a cycle run since the deployment?')
    },
  },
  reads('a pair', '/api/v2/usd/oficial', { has: QUOTE, headers: { ...CORS, ETag: /./ } }),
  reads('all quotes', '/api/v2/quotes', { has: QUOTE }),
  reads('version 1', '/api/usd/oficial', { has: /"compra":/ }),
  reads('CSV', '/api/v2/quotes?format=csv', { type: 'text/csv', has: /^USD,[^,]+,OFICIAL,/m }),
  reads('a conversion', '/api/v2/convert?amount=100&from=USD&to=ARS', { has: /"result":/ }),
  reads('a date', `/api/v2/date/${yesterday}/usd/oficial`, { has: QUOTE }),
  reads('the rate of invoices', `/api/v2/invoicing/usd?date=${yesterday}`, { has: /"USD"/ }),
  reads('the stream', '/api/v2/stream?pairs=usd/oficial', {
    type: 'text/event-stream',
    until: (text) => /\ndata: .*\n\n/.test(text),
    has: /event: quote\ndata: /,
  }),
  {
    name: 'an ETag that is known: 304',
    run: async (ask) => {
      const etag = (await ask('/api/v2/usd/oficial')).headers.get('ETag') ?? ''
      const again = await ask('/api/v2/usd/oficial', { headers: { 'If-None-Match': etag } })
      expect(again.status === 304, `it answers ${again.status}`)
    },
  },
  {
    name: 'MCP: a quote',
    run: (ask) =>
      answers(
        ask,
        '/api/mcp',
        { headers: { ...CORS, ...NO_STORE }, has: /structuredContent/ },
        {
          method: 'POST',
          headers: { Accept: 'application/json, text/event-stream' },
          body: {
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'dollar_quote', arguments: { origin: 'oficial' } },
          },
        },
      ),
  },
  reads('the page of all quotes', '/', { type: 'text/html', headers: PAGE_HEADERS }),
  reads('the page of sign-in', '/cuenta/entrar', { type: 'text/html', headers: NO_STORE }),
  reads('the reference', '/openapi/quotes.json', { has: /"openapi":"3/ }),
  reads('static files', '/static/site.css', { type: 'text/css' }),
  reads('a pair that is none: 404', '/api/v2/date/2026-01-02/usd/nada', {
    status: 404,
    headers: NO_STORE,
  }),
  reads('a page that is none: 404', '/nada/nada', { status: 404, type: 'text/html' }),
  reads('the gate without a key: 401', '/api/v2/auth/check', { status: 401, headers: NO_STORE }),
  {
    name: 'the gate with an unknown key: 401',
    run: (ask) =>
      answers(ask, WEBHOOKS, { status: 401, headers: NO_STORE }, bearer(`cot_${'0'.repeat(43)}`)),
  },
]

/** The webhook is created paused, tested once and deleted, whatever came between. */
function keyedChecks(key: string): Check[] {
  const by = bearer(key)
  return [
    {
      name: 'the gate with the key, and its limits',
      run: (ask) =>
        answers(
          ask,
          '/api/v2/auth/check',
          { headers: { ...NO_STORE, 'RateLimit-Limit': /^\d+$/, 'RateLimit-Remaining': /^\d+$/ } },
          by,
        ),
    },
    {
      name: 'history',
      run: (ask) =>
        answers(ask, `/api/v2/history/usd/oficial?from=${yesterday}`, { headers: NO_STORE }, by),
    },
    {
      name: 'a webhook: created paused, read, tested, removed',
      run: async (ask) => {
        const operationId = crypto.randomUUID()
        const [currency, origin] = ['USD', 'OFICIAL']
        const body = { operationId, url: DESTINATION, currency, origin, enabled: false }
        const created = { ...by, method: 'POST', body }
        const { webhook } = await json(ask, WEBHOOKS, { status: 201, headers: NO_STORE }, created)
        const path = `${WEBHOOKS}/${webhook.id}`
        try {
          const own = await json(ask, path, { headers: NO_STORE }, by)
          expect(own.webhook.url === DESTINATION, 'it reads as another one')
          const test = { ...by, method: 'POST', body: {} }
          await json(ask, `${path}/test`, { status: 202, headers: NO_STORE }, test)
        } finally {
          const { version } = webhook
          await json(ask, path, {}, { ...by, method: 'DELETE', body: { version } })
        }
        await answers(ask, path, { status: 404 }, by)
      },
    },
  ]
}

function bearer(key: string): HttpRequest {
  return { headers: { Authorization: `Bearer ${key}` } }
}

function reads(name: string, path: string, wanted: Wanted): Check {
  return { name, run: (ask) => answers(ask, path, wanted) }
}

/** Throws unless the answer is as wanted. */
async function answers(
  ask: Ask,
  path: string,
  { status = 200, type = 'application/json', headers = {}, has, until }: Wanted,
  request?: HttpRequest,
): ReturnType<Ask> {
  const answer = await ask(path, { ...request, ...(until && { until }) })
  const { error = '' } = parse(answer.text) as { error?: string }
  expect(answer.status === status, `${path} answers ${answer.status}, not ${status}: ${error}`)
  if (path !== '/api/mcp') headers = { 'Content-Type': new RegExp(`^${type}(;|$)`), ...headers }
  for (const [name, value] of Object.entries(headers)) {
    const found = answer.headers.get(name) ?? ''
    const isRight = typeof value === 'string' ? value === found : value.test(found)
    expect(isRight, `${path} has ${name}: ${found || '(none)'}, not ${value}`)
  }
  expect(!has || has.test(answer.text), `${path} lacks ${has}`)
  return answer
}

/** The answer's JSON; what a check reads of it, it compares. */
async function json(ask: Ask, path: string, wanted: Wanted, request?: HttpRequest): Promise<any> {
  return parse((await answers(ask, path, wanted, request)).text)
}

function parse(text: string): object {
  try {
    return JSON.parse(text) as object
  } catch {
    return {}
  }
}

function expect(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise)
}

/** `fetch failed` alone does not say what failed. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? `no answer (${cause.message})` : message
}

/** Waits for the first cycle, a new name or a certificate. Goes on when the time is over. */
async function untilReadsAnswer(ask: Ask, seconds: number): Promise<void> {
  const end = Date.now() + seconds * 1000
  while (Date.now() < end) {
    const isThere = await ask('/api/v2/quotes').then(
      ({ status }) => status === 200,
      () => false,
    )
    if (isThere) return
    await sleep(Math.min(BETWEEN_TRIES_MS, Math.max(0, end - Date.now())))
  }
}

await runCommand(command)
