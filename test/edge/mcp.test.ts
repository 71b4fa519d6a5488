import { expect, it } from 'vitest'
import { openEdge } from '../support/edge.ts'
import { failing } from '../support/faulty-database.ts'
import { NOON } from '../support/instant.ts'
import { seedInvoicing, seedPoints } from '../support/points.ts'
import { aBoardQuote, seedBoard } from '../support/board.ts'

const HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
}

/** A fresh MCP endpoint, as in a new isolate. The test moves its clock. */
function openMcp(options: Pick<Parameters<typeof openEdge>[0], 'env'> = {}) {
  const edge = openEdge({ now: NOON, ...options })

  async function post(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await edge.fetch('/api/mcp', {
      method: 'POST',
      headers: { ...HEADERS, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.text()
    return { response, text, body: text === '' ? null : JSON.parse(text) }
  }

  async function call(name: string, args: unknown = {}, headers?: Record<string, string>) {
    const { body } = await post(request('tools/call', { name, arguments: args }), headers)
    return body.result as ToolResult
  }

  return { worker: edge, post, call }
}

// oxlint-disable-next-line typescript/no-explicit-any -- JSON of any shape: tests look into it
type Answer = { response: Response; text: string; body: any }
interface ToolResult {
  isError?: boolean
  content: { type: string; text: string }[]
  structuredContent?: { mode: string; quotes: Record<string, unknown>[] }
}

const request = (method: string, params: unknown = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
})

const seedMarket = () =>
  seedBoard(NOON, {
    mode: 'demo',
    quotes: [aBoardQuote('USD/OFICIAL'), aBoardQuote('USD/BLUE'), aBoardQuote('EUR/BLUE')],
  })

const BLUE = { currency: 'usd', origin: 'blue' }
const BEFORE = { date: '2026-02-27', time: '15:59' }
const DATED = { currency: 'usd', date: '2026-03-01' }
const TO_USD = { amount: '1', from: 'ars', to: 'usd', origin: 'blue' }

const from = (address: string) => ({ 'CF-Connecting-IP': address })

it('the tools are six, read-only, with Spanish titles and typed schemas', async () => {
  const { body } = await openMcp().post(request('tools/list'))
  const tools = body.result.tools

  expect(tools.map((tool: { title: string }) => tool.title)).toEqual([
    'Cotización del dólar',
    'Cotización de una moneda',
    'Listar todas las cotizaciones',
    'Cotización a una fecha',
    'Convertir un monto',
    'Tipo de cambio para facturar',
  ])
  for (const tool of tools)
    expect(tool).toMatchObject({
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object', additionalProperties: false },
      outputSchema: { type: 'object', required: expect.arrayContaining(['mode']) },
    })
  const outputs = tools.map(({ outputSchema }: any) => outputSchema.properties.quotes?.type)
  expect(outputs).toEqual([...Array(4).fill('array'), undefined, undefined])
  // Gemini refuses a session with such a tool.
  expect(JSON.stringify(tools)).not.toContain('"type":[')
  const { amount } = tools[4].inputSchema.properties
  expect(amount.anyOf).toEqual([{ type: 'string' }, { type: 'number' }])
  const currency = { enum: ['usd', 'eur', 'brl', 'clp', 'uyu', 'arg'] }
  expect(tools[1].inputSchema).toMatchObject({ required: ['currency'], properties: { currency } })
})

it.each<[tool: string, args: Record<string, unknown> | null, paths: string]>([
  ['dollar_quote', {}, 'usd/oficial usd/blue'],
  ['currency_quote', { currency: 'USD', origin: 'oficial' }, 'usd/oficial'],
  ['currency_quote', { currency: 'eur', origin: null }, 'eur/blue'],
  ['all_quotes', null, 'usd/oficial usd/blue eur/blue'],
  ['quote_at_date', { ...BLUE, ...BEFORE }, 'date/2026-02-27/usd/blue?time=15:59'],
  [
    'quote_at_date',
    { ...BLUE, date: '2026-03-01', max_age: 60 },
    'date/2026-03-01/usd/blue?max_age=60',
  ],
  [
    'quote_at_date',
    { currency: 'brl', date: '2026-03-01', time: null, max_age: null },
    'date/2026-03-01/brl/oficial date/2026-03-01/brl/bna',
  ],
  ['convert_amount', { amount: '100', from: 'USD', to: 'ars', origin: 'blue' }, 'convert'],
  ['convert_amount', { ...TO_USD, amount: 100, from: 'eur', side: 'mid' }, 'convert'],
  ['convert_amount', { ...TO_USD, decimals: '6' }, 'convert'],
  ['convert_amount', { ...TO_USD, date: '2026-02-28' }, 'convert'],
  ['convert_amount', { ...TO_USD, ...BEFORE }, 'convert'],
  ['invoicing_rate', { currency: 'USD' }, 'invoicing/usd'],
])('the tools answer %s with %j as the API does', async (tool, args, paths) => {
  await seedMarket()
  await seedPoints('usd/blue', ['2026-02-27 16:00', 1400, 1420], ['2026-03-02 10:00', 1, 2])
  await seedInvoicing()

  const { structuredContent, content } = await openMcp().call(tool, args)
  const parameters = new URLSearchParams(args as Record<string, string>)
  const query = paths === 'convert' ? `?${parameters}` : ''
  const { fetch } = openEdge({ now: NOON })
  const answers = await Promise.all(
    paths.split(' ').map(async (path) => (await fetch(`/api/v2/${path}${query}`)).json<object>()),
  )
  const told = tool.includes('quote') ? { quotes: answers } : answers[0]
  expect(structuredContent).toEqual({ mode: 'demo', ...told })
  expect(JSON.parse(content[0]!.text)).toEqual(structuredContent)
})

it.each([
  ['dollar_quote', { origin: 'uva' }, 'origin debe ser oficial, bna, blue'],
  ['dollar_quote', { moneda: 'usd' }, 'Los argumentos son: origin'],
  ['all_quotes', { currency: 'usd' }, 'No lleva argumentos'],
  [
    'currency_quote',
    { currency: 'clp', origin: 'blue' },
    'Cotización no encontrada: clp tiene oficial',
  ],
  [
    'convert_amount',
    { amount: 1, from: 'usd', to: 'ars', decimals: 'dos' },
    'decimals debe ser un número entero de 0 a 8',
  ],
  ['invoicing_rate', { currency: 'usd', date: '2026-03-03' }, 'El cierre de hoy todavía no'],
])('a tool answers an error in Spanish for %s with %o', async (name, args, text) => {
  await seedMarket()
  const result = await openMcp().call(name, args)

  expect(result.isError).toBe(true)
  expect(result.content[0]!.text).toContain(text)
  expect(result.structuredContent).toBeUndefined()
})

it('a tool answers an error in Spanish when neither KV nor D1 answers', async () => {
  const { call } = openMcp({ env: { DB: failing('no such table: secrets') } })

  const results = [await call('all_quotes'), await call('quote_at_date', DATED)]
  expect(results).toEqual([
    { isError: true, content: [{ type: 'text', text: expect.stringMatching(/^Servicio no d/) }] },
    { isError: true, content: [{ type: 'text', text: expect.stringMatching(/^Las cotizac/) }] },
  ])
})

it('a tool answers an error in Spanish when an address exceeds the limit of date reads, but only for dates', async () => {
  await seedMarket()
  const { call } = openMcp({ env: { DATE_READ_LIMIT: '1' } })
  const dated = (address: string) => call('quote_at_date', DATED, from(address))

  expect((await dated('192.0.2.1')).isError).toBeUndefined()
  const { isError, content } = await dated('192.0.2.1')
  const text = 'Demasiadas consultas por fecha: esperá unos segundos'
  expect([isError, content[0]!.text]).toEqual([true, text])
  expect((await dated('192.0.2.2')).isError).toBeUndefined()
  expect((await call('all_quotes', {}, from('192.0.2.1'))).isError).toBeUndefined()
})

it('the limit of requests is per client: 429 in the form of the protocol, for ten seconds; what is refused counts', async () => {
  const { post, worker } = openMcp({ env: { MCP_REQUEST_LIMIT: '2' } })
  const ping = async (address: string, sent: unknown = request('ping')) => {
    const { response, body } = await post(sent, from(address))
    return [response.status, body.error?.message, response.headers.get('Retry-After')]
  }
  for (let i = 0; i < 5; i++) await worker.fetch('/api/mcp', { method: 'OPTIONS' })
  expect((await ping('192.0.2.1', '[]'))[0]).toBe(400)
  expect((await ping('192.0.2.1', '{"jsonrpc":'))[0]).toBe(400)
  const refused = [429, 'Demasiados pedidos: probá de nuevo en 10 segundos', '10']
  expect(await ping('192.0.2.1')).toEqual(refused)
  expect((await ping('192.0.2.2'))[0]).toBe(200)

  worker.clock.now = NOON + 10_000
  expect((await ping('192.0.2.1'))[0]).toBe(200)
})

it('the limit of requests keeps its own keys in the platform’s limiter', async () => {
  const keys: string[] = []
  const limit = async ({ key }: RateLimitOptions) => ({ success: keys.push(key) < 2 })
  const { post } = openMcp({ env: { DATE_READS: { limit } } })
  await post(request('ping'), from('192.0.2.1'))
  expect(keys).toEqual(['mcp:192.0.2.1#0'])
})

it.each<[what: string, sent: unknown, status: number, code?: number]>([
  ['broken JSON', '{"jsonrpc":', 400, -32700],
  ['no JSON-RPC', { hello: 1 }, 400, -32600],
  ['a list', [request('ping')], 400, -32600],
  ['17 KiB', request('ping', { filler: 'x'.repeat(17_000) }), 413, -32000],
  ['an unknown method', request('tools/destroy'), 200, -32601],
  ['an unknown tool', request('tools/call', { name: 'drop_tables' }), 200, -32602],
  ['a tool without a name', request('tools/call', {}), 200, -32602],
  ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, 202],
])('the endpoint answers %s with its status and error', async (_, sent, status, code) => {
  const { response, body } = await openMcp().post(sent)
  expect([response.status, body?.error.code]).toEqual([status, code])
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(JSON.stringify(body)).not.toMatch(/ {4}at |node_modules/)
})

it.each([
  [{ 'Content-Type': 'text/plain' }, 415],
  [{ Accept: '*/*, application/json;q=0' }, 406],
  [{ Accept: '*/*' }, 200],
  [{ Accept: 'a/b, application/*;q=0.1' }, 200],
  [{ Accept: '' }, 200],
  [{ 'MCP-Protocol-Version': 'x' }, 400],
])('the endpoint answers a request with %j: %i', async (headers, status) => {
  expect((await openMcp().post(request('ping'), headers)).response.status).toBe(status)
})

it('the endpoint has no sessions, GET and DELETE are 405, and any page may call it', async () => {
  const { worker, post } = openMcp()
  const clientInfo = { name: 'test', version: '1' }
  const beginning = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo }
  const begun = (await post(request('initialize', beginning))).response
  expect([begun.status, begun.headers.get('Mcp-Session-Id')]).toEqual([200, null])
  for (const method of ['GET', 'DELETE'])
    expect((await worker.fetch('/api/mcp', { method })).status).toBe(405)

  const headers = { 'Access-Control-Request-Headers': 'content-type,mcp-protocol-version' }
  const preflight = await worker.fetch('/api/mcp', { method: 'OPTIONS', headers })
  expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('mcp-protocol-version')
})
