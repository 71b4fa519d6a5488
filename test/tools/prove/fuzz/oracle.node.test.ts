import { expect, it } from 'vitest'
import { OTHERS_KEY } from '../../../../tools/prove/fuzz/changes/credentials.ts'
import type { SentRequest } from '../../../../tools/prove/fuzz/request.ts'
import { checkExchange, compareHead } from '../../../../tools/prove/fuzz/oracle/oracle.ts'
import type { WireAnswer } from '../../../../tools/prove/fuzz/wire/read-answer.ts'
import { ENDED_SILENTLY } from '../../../../tools/prove/fuzz/wire/wire.ts'

const CORS = { 'access-control-allow-origin': '*' }
const JSON_TYPE = { 'content-type': 'application/json' }
const NO_STORE = { 'cache-control': 'no-store' }
const REFUSAL = { ...CORS, ...JSON_TYPE, ...NO_STORE }
const PAGE = {
  'content-type': 'text/html; charset=UTF-8',
  'cache-control': 'public, max-age=60',
  'content-security-policy': "default-src 'none'",
}
const SEEN = '{"error":"Cotización no encontrada"}'
const HTML = '<!doctype html><html lang="es-AR"></html>'

const PARQUET = 'application/vnd.apache.parquet'
const CHANGED = { accepts: [], changes: ['something'], denied: false, operation: null }

function request(target: string, changes: Partial<SentRequest> = {}): SentRequest {
  return { method: 'GET', target, headers: [], body: null, framing: 'length', ...changes }
}

function answer(status: number, headers: Record<string, string>, body: string): WireAnswer {
  return { status, headers: Object.entries(headers), body: Buffer.from(body) }
}

function problemsOf(sent: SentRequest, given: WireAnswer): string[] {
  return checkExchange(CHANGED, sent, { kind: 'answered', answer: given, ms: 1 }).problems
}

it.each<[string, string, WireAnswer]>([
  ['a quote', '/api/v2/usd/blue', answer(200, { ...CORS, ...JSON_TYPE }, '{"sell":1}')],
  ['not modified', '/api/v2/usd/blue', answer(304, { ...CORS, etag: '"x"' }, '')],
  ['a refusal', '/api/v2/date/x', answer(404, REFUSAL, SEEN)],
  [
    'a name of the contract',
    '/api/v2/x/y/z',
    answer(409, REFUSAL, '{"error":"quote_unavailable"}'),
  ],
  ['a declared 503', '/api/v2/quotes', answer(503, { ...REFUSAL, 'retry-after': '15' }, SEEN)],
  ['a wrong method', '/api/v2/usd', answer(405, { ...REFUSAL, allow: 'GET' }, SEEN)],
  ['no key', '/api/v2/webhooks', answer(401, { ...REFUSAL, 'www-authenticate': 'Bearer' }, SEEN)],
  [
    'the date limit',
    '/api/v2/date/2026-01-01',
    answer(
      429,
      { ...CORS, ...NO_STORE, 'content-type': 'text/plain', 'retry-after': '9' },
      'Demasiadas consultas',
    ),
  ],
  ['the gate', '/api/usd/xyz', answer(404, { ...PAGE, ...CORS, ...NO_STORE }, HTML)],
  [
    'JSON-RPC',
    '/api/mcp',
    answer(400, REFUSAL, '{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"No"}}'),
  ],
  ['a page', '/usd/blue', answer(200, PAGE, HTML)],
  [
    'a way to another page',
    '/cuenta',
    answer(303, { ...NO_STORE, location: '/cuenta/entrar' }, ''),
  ],
  ['a table', '/usd/blue/diario.csv', answer(200, { 'content-type': 'text/csv' }, 'a,b\r\n')],
  ['a part of a table', '/datos/x.csv', answer(206, { 'content-type': 'text/csv' }, 'a,')],
  ['a file', '/datos/x.parquet', answer(200, { 'content-type': PARQUET }, 'PAR1…PAR1')],
])('finds nothing in what is right: %s', (_, target, given) => {
  expect(problemsOf(request(target), given)).toEqual([])
})

it.each<[string, string, WireAnswer]>([
  ['the status is 500', '/api/v2/quotes', answer(500, REFUSAL, '{"error":"Error interno"}')],
  ['the status is 502', '/usd/blue', answer(502, { ...PAGE, ...NO_STORE }, HTML)],
  ['503 without a Retry-After', '/api/v2/quotes', answer(503, REFUSAL, SEEN)],
  ['503 without a Retry-After', '/api/v2', answer(503, { ...REFUSAL, 'retry-after': '0' }, SEEN)],
  ['429 without a Retry-After', '/api/v2/auth/check', answer(429, REFUSAL, SEEN)],
  ['405 without Allow', '/api/v2/usd', answer(405, REFUSAL, SEEN)],
  ['401 without WWW-Authenticate', '/api/v2/webhooks', answer(401, REFUSAL, SEEN)],
  ['404 without no-store', '/api/v2/x', answer(404, { ...CORS, ...JSON_TYPE }, SEEN)],
  ['may be stored', '/api/v2/webhooks', answer(200, { ...CORS, ...JSON_TYPE }, '{}')],
  ['without CORS', '/api/v2/quotes', answer(200, JSON_TYPE, '[]')],
  [
    'CORS with credentials',
    '/api/v2/quotes',
    answer(200, { ...CORS, ...JSON_TYPE, 'access-control-allow-credentials': 'true' }, '[]'),
  ],
  ['no Error object', '/api/v2/x', answer(400, REFUSAL, '{"message":"no"}')],
  ['no Error object', '/api/v2/x', answer(400, REFUSAL, '{"error":"Algo","more":1}')],
  ['no Error object', '/api/v2/x', answer(400, REFUSAL, 'Algo')],
  ['no Spanish', '/api/v2/x', answer(400, REFUSAL, '{"error":"The body is not valid"}')],
  ['no sentence', '/api/v2/x', answer(400, REFUSAL, '{"error":""}')],
  [
    'of type text/plain',
    '/api/v2/x',
    answer(400, { ...REFUSAL, 'content-type': 'text/plain' }, 'No'),
  ],
  ['a page instead', '/api/v2/x/y/z', answer(404, { ...PAGE, ...CORS, ...NO_STORE }, HTML)],
  ['no JSON-RPC error', '/api/mcp', answer(400, REFUSAL, '[]')],
  ['a page without a policy', '/x', answer(200, { 'content-type': 'text/html' }, HTML)],
  ['no text/html', '/x', answer(200, PAGE, 'hola')],
  ['no application/json', '/x/grafico.json', answer(200, JSON_TYPE, '{')],
  ['is none of ours', '/x', answer(200, { 'content-type': 'application/pdf' }, 'x')],
  ['200 without a body', '/x', answer(200, {}, '')],
  [
    'a redirect to elsewhere',
    '/cuenta',
    answer(303, { ...NO_STORE, location: '//otra.example' }, ''),
  ],
  ['a redirect to elsewhere', '/x', answer(302, { location: 'https://otra.example/' }, '')],
  ['shows a stack', '/x', answer(200, PAGE, `${HTML}\n    at read (index.js:10:3)`)],
  ['shows an exception', '/x', answer(200, PAGE, `${HTML}TypeError: x`)],
  ['shows the database', '/x', answer(200, PAGE, `${HTML}D1_ERROR: no such table: x`)],
  ['shows SQL', '/x', answer(200, PAGE, `${HTML}SELECT id FROM points`)],
  ['shows a library', '/x', answer(200, PAGE, `${HTML}node_modules/hono`)],
  ['shows a key', '/x', answer(200, PAGE, `${HTML}cot_${'a'.repeat(8)}_${'b'.repeat(43)}`)],
  ['markup of the request', '/x', answer(200, PAGE, `${HTML}<fz onload=1>`)],
  ['was let through', '/x', answer(200, { ...PAGE, 'x-fz': '1' }, HTML)],
])('finds: %s (%s)', (problem, target, given) => {
  const found = problemsOf(request(target), given)
  expect(found.filter((text) => text.includes(problem))).not.toEqual([])
})

it('takes a page for JSON amiss when JSON alone was asked for', () => {
  const given = answer(404, { ...PAGE, ...CORS, ...NO_STORE }, HTML)
  const headers = [['Accept', 'application/json']] as const
  expect(problemsOf(request('/api/usd/xyz', { headers }), given)).not.toEqual([])
})

it('holds a good request to the statuses of its route', () => {
  const given = answer(404, REFUSAL, SEEN)
  const exchange = { kind: 'answered', answer: given, ms: 1 } as const
  const good = { accepts: [200, 304], changes: [], denied: false, operation: null }
  expect(checkExchange(good, request('/api/v2/usd'), exchange).problems).toEqual([
    'without changes it is answered with 404',
  ])
  expect(
    checkExchange({ ...good, accepts: [404] }, request('/api/v2/usd'), exchange).problems,
  ).toEqual([])
})

it.each([
  [401, { 'www-authenticate': 'Bearer' }, 0],
  [303, { location: '/cuenta/entrar' }, 0],
  [303, { location: '/cuenta' }, 1],
  [200, {}, 1],
  [404, {}, 1],
])('holds a request without credentials to a denial: %s %o', (status, headers, problems) => {
  const body = status === 303 ? '' : SEEN
  const given = answer(status, { ...REFUSAL, ...headers }, body)
  const exchange = { kind: 'answered', answer: given, ms: 1 } as const
  const found = checkExchange(
    { ...CHANGED, denied: true },
    request('/api/account'),
    exchange,
  ).problems
  expect(found.filter((text) => text.startsWith('without what'))).toHaveLength(problems)
})

it('takes it amiss when the key of another account opens a webhook', () => {
  const given = answer(200, { ...CORS, ...JSON_TYPE, ...NO_STORE }, '{}')
  const exchange = { kind: 'answered', answer: given, ms: 1 } as const
  const others = { ...CHANGED, changes: [OTHERS_KEY] }
  const one = request('/api/v2/webhooks/0b9d2c1e-8a55-4d6f-9a0e-3f1c2b4d5e6f')
  expect(checkExchange(others, one, exchange).problems).toHaveLength(1)
  expect(checkExchange(others, request('/api/v2/webhooks'), exchange).problems).toEqual([])
})

it('takes no answer for a finding, but for a request that was itself cut short', () => {
  const silence = { kind: 'failed', why: ENDED_SILENTLY, ms: 1 } as const
  const cut = request('/x', { framing: 'short', method: 'POST', body: Buffer.from('{') })
  expect(checkExchange(CHANGED, request('/x'), silence).problems).toEqual([ENDED_SILENTLY])
  expect(checkExchange(CHANGED, cut, silence).problems).toEqual([])
  const late = { kind: 'failed', why: 'no whole answer within 10 s', ms: 1 } as const
  expect(checkExchange(CHANGED, cut, late).problems).toEqual(['no whole answer within 10 s'])
})

it.each([
  ['an unknown method', request('/x', { method: 'FOO' })],
  ['a space in the target', request('/x y')],
  ['a control code in a header', request('/x', { headers: [['X', 'a\u0000']] })],
  ['a host that is none', request('/x', { headers: [['Host', 'a b']] })],
])('lets the runtime refuse %s, and only that', (_, sent) => {
  const given = answer(400, {}, 'invalid URI')
  const exchange = { kind: 'answered', answer: given, ms: 1 } as const
  expect(checkExchange(CHANGED, sent, exchange)).toEqual({ problems: [], ofRuntime: true })
  expect(checkExchange(CHANGED, request('/x'), exchange).problems).not.toEqual([])
})

it('lets the local front fail over a target that is no path, and over nothing else', () => {
  const stack =
    '    at Object.fetch (file:///x/node_modules/miniflare/dist/src/entry.worker.js:1:2)'
  const text = `TypeError: Fetch API cannot load: http://otra.example*/\n${stack}`
  const exchange = { kind: 'answered', answer: answer(500, {}, text), ms: 1 } as const
  const asterisk = request('*', { method: 'REPORT', headers: [['Host', 'otra.example']] })
  expect(checkExchange(CHANGED, asterisk, exchange).problems).toEqual([])
  expect(checkExchange(CHANGED, request('/usd/blue'), exchange).problems).not.toEqual([])
})

it('leaves the platform’s file server its own 405, and nobody else', () => {
  const exchange = { kind: 'answered', answer: answer(405, {}, ''), ms: 1 } as const
  for (const target of ['/static/board.js', '//static//board.js?x=1'])
    expect(
      checkExchange(CHANGED, request(target, { method: 'DELETE' }), exchange).problems,
    ).toEqual([])
  expect(
    checkExchange(CHANGED, request('/usd/blue', { method: 'DELETE' }), exchange).problems,
  ).not.toEqual([])
})

it('compares HEAD with GET', () => {
  const get = answer(200, PAGE, HTML)
  expect(compareHead(get, answer(200, PAGE, ''))).toEqual([])
  expect(compareHead(get, answer(404, PAGE, ''))).not.toEqual([])
  expect(compareHead(get, answer(200, { ...PAGE, 'cache-control': 'no-store' }, ''))).not.toEqual(
    [],
  )
  expect(compareHead(answer(206, PAGE, HTML), answer(200, PAGE, ''))).toEqual([])
  expect(compareHead(answer(206, PAGE, HTML), answer(206, PAGE, ''))).toEqual([])
  expect(compareHead(answer(206, PAGE, HTML), answer(404, PAGE, ''))).not.toEqual([])
})
