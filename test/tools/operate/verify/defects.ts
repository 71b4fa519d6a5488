import type { Alter, Asked, Given } from './proxy.ts'

/** The check that must find it, by how its name begins; what is broken; the broken answer. */
export type Defect = readonly [check: string, what: string, alter: Alter]

/** Changes the JSON of the answers to a path. */
const json =
  (path: RegExp, change: (body: never) => void, method = 'GET'): Alter =>
  (asked, given) => {
    if (asked.method !== method || !path.test(asked.path) || given.status >= 400) return
    const body = JSON.parse(given.text) as never
    change(body)
    given.text = JSON.stringify(body)
  }

const header =
  (path: RegExp, name: string, value: string | null, method?: string): Alter =>
  (asked, given) => {
    if (!path.test(asked.path) || (method && asked.method !== method)) return
    delete given.headers[name]
    if (value !== null) given.headers[name] = value
  }

const answer =
  (path: RegExp, given: Partial<Given>, when: (asked: Asked, given: Given) => boolean): Alter =>
  (asked, now) => {
    if (path.test(asked.path) && when(asked, now)) Object.assign(now, given)
  }

const always = () => true
const isA = (method: string) => (asked: Asked) => asked.method === method
const had = (status: number) => (_: Asked, given: Given) => given.status === status
const failure = (status: number) => ({ status, text: '{"error":"Error interno"}' })

type Quotes = Record<string, unknown>[]
const QUOTES = /^\/api\/v2\/quotes$/
const USD = /^\/api\/v2\/usd$/
const PAIR = /^\/api\/v2\/USD\//
const HOOK = /^\/api\/v2\/webhooks\/[0-9a-f-]{36}$/
const HOOKS = /^\/api\/v2\/webhooks$/
const AUTH = /^\/api\/v2\/auth\/check$/

export const DEFECTS: readonly Defect[] = [
  [
    'current reads: every',
    'a pair out of order',
    json(QUOTES, (quotes: Quotes) => quotes.push(quotes.shift()!)),
  ],
  [
    'current reads: every',
    'a price with float noise',
    json(QUOTES, (q: Quotes) => (q[0]!['sell'] = 14.700000000000045)),
  ],
  [
    'current reads: every',
    'a time in UTC',
    json(QUOTES, (q: Quotes) => (q[3]!['updatedAt'] = '2026-01-02T03:04:05.678Z')),
  ],
  [
    'current reads: every',
    'a field too many',
    json(QUOTES, (q: Quotes) => (q[0]!['source'] = 'x')),
  ],
  [
    'current reads: every',
    'a field too few',
    json(QUOTES, (q: Quotes) => delete q[0]!['lastScrapedAt']),
  ],
  ['current reads: every', 'no quote', json(QUOTES, (q: Quotes) => (q.length = 0))],
  ['current reads: every', 'a failure', answer(QUOTES, failure(500), always)],
  [
    'current reads: no instant',
    'a time in the future',
    json(QUOTES, (q: Quotes) => (q[0]!['lastScrapedAt'] = '2999-01-02T03:04:05.678-03:00')),
  ],
  [
    'current reads: no instant',
    'confirmed before seen',
    json(QUOTES, (q: Quotes) => (q[0]!['lastScrapedAt'] = '2020-01-02T03:04:05.678-03:00')),
  ],
  ['current reads: kept', 'a weak ETag', header(USD, 'etag', 'W/"1"')],
  ['current reads: kept', 'another age', header(USD, 'cache-control', 'public, max-age=600')],
  ['current reads: kept', 'no 304', answer(USD, { status: 200 }, had(304))],
  [
    'current reads: a pair',
    'a wrong change',
    json(
      PAIR,
      (q: Record<string, unknown>) => (q['change'] = { amount: 5, percent: 1, referenceValue: 1 }),
    ),
  ],
  [
    'current reads: a pair',
    'another pair',
    json(PAIR, (q: Record<string, unknown>) => (q['origin'] = 'CER')),
  ],
  [
    'current reads: v1',
    'English fields',
    json(/^\/api\/usd/, (q: Quotes) => (q[0] = { currency: 'USD' })),
  ],
  ['current reads: v1', 'a failure', answer(/^\/api\/usd\//, failure(503), had(200))],
  ['current reads: HEAD', 'HEAD is refused', answer(QUOTES, failure(405), isA('HEAD'))],
  [
    'current reads: HEAD',
    'a preflight without the key’s header',
    header(QUOTES, 'access-control-allow-headers', 'Content-Type', 'OPTIONS'),
  ],
  [
    'current reads: HEAD',
    'credentials of any page',
    header(QUOTES, 'access-control-allow-credentials', 'true'),
  ],
  [
    'date reads: a closed',
    'a value from later',
    json(/date\/[\d-]+$/, (q: Quotes) => (q[0]!['quotedAt'] = '2999-01-02T03:04:05.678-03:00')),
  ],
  [
    'date reads: a closed',
    'kept for a minute',
    header(/date\/[\d-]+$/, 'cache-control', 'public, max-age=60'),
  ],
  ['date reads: a closed', 'a pair is missing', json(/date\/[\d-]+$/, (q: Quotes) => q.pop())],
  [
    'date reads: today',
    'kept for a day',
    header(/date\/.*oficial$/, 'cache-control', 'public, max-age=86400'),
  ],
  [
    'date reads: today',
    'a value without its instant',
    json(/date\/.*oficial$/, (q: Record<string, unknown>) => (q['quotedAt'] = null)),
  ],
  ['date reads: as CSV', 'JSON instead', header(/format=csv/, 'content-type', 'application/json')],
  ['date reads: as CSV', 'no header row', answer(/date.*format=csv/, { text: '1,2\r\n' }, always)],
  [
    'date reads: a day in',
    'the future is answered',
    answer(/date\/20\d\d-\d\d-\d\d\/usd/, { status: 200, text: '[]' }, had(400)),
  ],
  [
    '404 of a pair',
    'a page for programs',
    answer(
      /usd\/nada$/,
      { text: '<html>' },
      ({ headers }) => headers['accept'] === 'application/json',
    ),
  ],
  ['404 of a pair', 'kept', header(/usd\/nada$/, 'cache-control', 'public, max-age=60')],
  [
    '404 of a pair',
    'another text',
    answer(
      /usd\/nada$/,
      { text: '{"error":"Not found"}' },
      ({ headers }) => headers['accept'] === 'application/json',
    ),
  ],
  ['404 of a currency', 'a page', answer(/xyz/, { text: '<html>' }, always)],
  ['404 of a currency', 'an empty list', answer(/xyz/, { status: 200, text: '[]' }, always)],
  ['404 of a page', 'the home page', answer(/una-pagina/, { status: 200 }, always)],
  ['405', 'no Allow', header(/status/, 'allow', null, 'DELETE')],
  ['405', 'a failure', answer(QUOTES, failure(500), isA('DELETE'))],
  [
    'status',
    'it is down',
    json(/v2\/status/, (s: Record<string, unknown>) => (s['status'] = 'down')),
  ],
  ['status', 'a pair is missing', json(/v2\/status/, (s: { pairs: unknown[] }) => s.pairs.pop())],
  ['status', 'it is kept', header(/v2\/status/, 'cache-control', 'public, max-age=600')],
  [
    'stream: an event',
    'no id',
    (asked, given) => {
      if (/stream/.test(asked.path)) given.text = given.text.replace(/^id: .*\n/m, '')
    },
  ],
  ['stream: an event', 'no event', answer(/stream/, { text: ': nothing\n\n' }, had(200))],
  ['stream: a list', 'an endless stream', answer(/stream/, { status: 200 }, had(404))],
  [
    'MCP',
    'no tools',
    (asked, given) => {
      if (/mcp/.test(asked.path)) given.text = given.text.replace('"tools":[', '"tools":[],"x":[')
    },
  ],
  [
    'MCP',
    'an error',
    (asked, given) => {
      if (/mcp/.test(asked.path))
        given.text = given.text.replace('"structuredContent"', '"isError":true,"x"')
    },
  ],
  ['MCP', 'kept', header(/mcp/, 'cache-control', null)],
  ['pages: the board', 'a page fails', answer(/^\/estado$/, { status: 500 }, always)],
  [
    'pages: the board',
    'a file instead of a page',
    header(/^\/docs$/, 'content-type', 'application/json'),
  ],
  ['pages: the board', 'something else', answer(/^\/$/, { text: 'Hello World!' }, always)],
  ['pages: scripts', 'no policy', header(/^\/$/, 'content-security-policy', null)],
  ['pages: scripts', 'sniffing', header(/entrar$/, 'x-content-type-options', null)],
  ['files', 'a badge fails', answer(/badge/, { status: 503 }, always)],
  ['files', 'no static files', answer(/static/, { status: 404 }, always)],
  [
    'documents',
    'another version',
    json(/quotes\.json/, (d: { info: { version: string } }) => (d.info.version = '2.2.0')),
  ],
  [
    'documents',
    'a path is missing',
    json(/webhooks\.json/, (d: { paths: object }) => (d.paths = {})),
  ],
  [
    'gate: 401',
    'anyone may read history',
    answer(/history$/, { status: 200, text: '[]' }, had(401)),
  ],
  ['gate: 401', 'no challenge', header(AUTH, 'www-authenticate', null)],
  [
    'gate: 401',
    'a key in the query',
    answer(/api_key/, { status: 200, text: '{"valid":true}' }, always),
  ],
  ['gate: the key', 'a good key is refused', answer(AUTH, failure(401), had(200))],
  ['gate: the key', 'no quota headers', header(AUTH, 'ratelimit-remaining', null)],
  ['gate: the key', 'kept', header(AUTH, 'cache-control', 'public, max-age=60')],
  [
    'gate: the key',
    'two keys pass',
    answer(
      AUTH,
      { status: 200 },
      ({ headers }) => 'x-api-key' in headers && 'authorization' in headers,
    ),
  ],
  [
    'history: points',
    'oldest first, in UTC',
    answer(
      /history\?limit=2/,
      { text: '[{"buy":1,"sell":2,"createdAt":"2026-01-02T03:04:05.678Z"}]' },
      always,
    ),
  ],
  [
    'history: points',
    'too many',
    answer(/history\?limit=501/, { status: 200, text: '[]' }, always),
  ],
  [
    'history: daily',
    'a close outside its range',
    json(
      /history\/usd/,
      (h: { points: Record<string, number>[] }) => (h.points[0]!['close'] = 1e9),
    ),
  ],
  ['webhooks: bodies', 'unknown fields are taken', answer(HOOKS, { status: 201 }, had(400))],
  ['webhooks: bodies', 'any type is taken', answer(HOOKS, { status: 201 }, had(415))],
  [
    'webhooks: created',
    'it is active',
    json(
      HOOKS,
      (b: { webhook: Record<string, unknown> }) => (b.webhook['state'] = 'active'),
      'POST',
    ),
  ],
  [
    'webhooks: created',
    'the whole destination',
    json(
      HOOKS,
      (b: { webhook: Record<string, unknown> }) =>
        (b.webhook['destination'] = 'https://example.com/cotizaciones/verify'),
      'POST',
    ),
  ],
  [
    'webhooks: created',
    'the secret again',
    (asked, given) => {
      if (HOOKS.test(asked.path) && asked.method === 'POST' && given.status === 200)
        given.text = given.text.replace('{', `{"secret":"${'a'.repeat(64)}",`)
    },
  ],
  [
    'webhooks: created',
    'a second one',
    (asked, given) => {
      if (HOOKS.test(asked.path) && asked.method === 'POST' && given.status === 200)
        given.text = given.text.replace(/"id":"(.)/, (_, c) => `"id":"${c === 'f' ? 'e' : 'f'}`)
    },
  ],
  [
    'webhooks: created',
    'two rows',
    json(HOOKS, (b: { webhooks: unknown[] }) => b.webhooks.push(b.webhooks.at(-1))),
  ],
  ['webhooks: created', 'it fails', answer(HOOKS, failure(500), had(201))],
  [
    'webhooks: the single',
    'the secret as well',
    json(HOOK, (b: { webhook: Record<string, unknown> }) => (b.webhook['secret'] = 'a'.repeat(64))),
  ],
  [
    'webhooks: an edit',
    'an old version is taken',
    answer(HOOK, { status: 200 }, ({ method }, { status }) => method === 'PATCH' && status === 409),
  ],
  [
    'webhooks: an edit',
    'an old version changes it all the same',
    (asked, given) => {
      if (asked.method === 'GET' && HOOK.test(asked.path) && asked.nth === 2)
        given.text = given.text.replace('"BNA"', '"BLUE"')
    },
  ],
  [
    'webhooks: an edit',
    'the version stays',
    (asked, given) => {
      if (asked.method === 'PATCH') given.text = given.text.replace('"version":2', '"version":1')
    },
  ],
  [
    'webhooks: of two',
    'both succeed',
    answer(HOOK, { status: 200 }, ({ method, nth }) => method === 'PATCH' && nth <= 2),
  ],
  ['webhooks: of two', 'none succeeds', answer(HOOK, { status: 409 }, isA('PATCH'))],
  [
    'deliveries',
    'some of a paused webhook',
    answer(
      /deliveries\?webhookId/,
      {
        text: '{"deliveries":[{"id":1,"webhookId":"00000000-0000-4000-8000-000000000000","createdAt":"2026-01-02T03:04:05.678Z"}],"nextCursor":null}',
      },
      always,
    ),
  ],
  ['deliveries', 'any limit', answer(/limit=51/, { status: 200 }, always)],
  [
    'webhooks: an old version deletes',
    'it deletes',
    answer(HOOK, { status: 200, text: '{"deleted":true}' }, isA('DELETE')),
  ],
  [
    'webhooks: an old version deletes',
    'it is still there',
    answer(HOOK, { status: 200 }, had(404)),
  ],
  [
    'webhooks: an old version deletes',
    'nothing is deleted',
    answer(HOOK, failure(500), ({ method, nth }) => method === 'DELETE' && nth === 2),
  ],
  [
    'D1',
    'changes() is 1 after nothing changed: no quota ends',
    answer(AUTH, { status: 200, text: '{"valid":true}' }, had(429)),
  ],
  ['D1', 'changes() is 0 after a change: no key passes', answer(AUTH, failure(503), had(200))],
  [
    'D1',
    'a request is counted twice',
    (asked, given) => {
      if (AUTH.test(asked.path) && asked.nth > 3)
        given.headers['ratelimit-remaining'] = String(
          Math.max(0, Number(given.headers['ratelimit-remaining']) - 1),
        )
    },
  ],
]
