import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { clientAddress } from '../../../shared/access/client-address.ts'
import { MAX_BODY_BYTES } from '../../../shared/body-limit.ts'
import { parseMcpRequestLimit } from '../../../shared/config/config.ts'
import { createDateReadLimit } from '../../../shared/access/date-read-limit.ts'
import { logFailure } from '../../../shared/log.ts'
import type { Deps, McpContext } from './context.ts'
import { onceBoard, type ToolContext, orUnavailable } from './tool-context.ts'
import { BODY_NOT_WHOLE, CLOSE_UNKNOWN } from '../../../shared/sentences.ts'
import { currentTools } from './current-tools.ts'
import { convertTool } from './convert-tool.ts'
import * as z from 'zod'
import { datedQuote as datedQuoteSchema, readQuoteAsOf } from '../../../shared/api/dates.ts'
import { dateQuery, type DateQuery } from '../../../shared/market/date-query.ts'
import { datedQuote } from '../../../shared/market/dated-quote.ts'
import { quotesAsOf } from '../../../shared/db/quotes/points.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { requestedPairs } from './requested-pairs.ts'
import { refuseFlood } from './refuse-flood.ts'
import { defineTool, ToolError } from './tool.ts'
import { invoicingRate as rateSchema, readInvoicingRate } from '../../../shared/api/invoicing.ts'
import { argentineDay } from '../../../shared/argentine-time.ts'
import { readInvoicing } from '../../../shared/db/quotes/invoicing.ts'
import {
  findInvoicingCurrency,
  invoicingRate,
  isCloseKnown,
  parseIssueDate,
} from '../../../shared/market/invoicing.ts'

/**
 * The MCP endpoint: streamable HTTP without sessions and without keys. Each request gets a server
 * of its own, so isolates share nothing; GET and DELETE, which sessions would need, are 405, and
 * nobody can subscribe: the tools never change. Pages of any site may use it, because nothing here
 * is private. A client's requests are limited as its date reads are, and each holds one message.
 */
export function mcpRoutes({ now }: Deps) {
  const limitDates = createDateReadLimit()
  const limitRequests = createDateReadLimit('mcp:', parseMcpRequestLimit)

  const clientOf = (c: Context<McpContext>) => ({
    address: clientAddress(c.req.raw.headers, c.env),
    now: now(),
    context: c.executionCtx,
  })

  return new Hono<McpContext>()
    .use(cors({ origin: '*', allowMethods: ['POST', 'OPTIONS'], exposeHeaders: ['Retry-After'] }))
    .use(async (c, next) => {
      await next()
      c.header('Cache-Control', 'no-store')
    })
    .post('/', async (c, next) => {
      const { MCP_REQUEST_LIMIT: DATE_READ_LIMIT, DATE_READS } = c.env
      const admission = limitRequests({ DATE_READ_LIMIT, DATE_READS }, clientOf(c))
      return admission.allowed ? next() : tooMany(admission.retryAfterSeconds)
    })
    .post('/', async (c, next) => {
      try {
        return await oneMessage(c, next)
      } catch {
        return cutShort()
      }
    })
    .all('/', async (c) => {
      const readBoard = onceBoard({ env: c.env, now })
      const admitDate = () => limitDates(c.env, clientOf(c))
      const handler = createMcpHandler(
        () => createMcpServer({ env: c.env, now, readBoard, admitDate }),
        { maxSubscriptions: 0, maxRequestBodySize: MAX_BODY_BYTES, onerror: noteOwnFault },
      )
      return handler.fetch(await unread(c))
    })
}

const limitBody = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: () => tooLarge() })

/** Throws when the body ends too early. Later errors have responses of their own. */
const oneMessage: MiddlewareHandler<McpContext> = (c, next) =>
  limitBody(c, async () => {
    const isBatch = (await c.req.text()).trimStart().startsWith('[')
    if (isBatch) c.res = batchRefused()
    else await next()
  })

/** The original request, although its body was read. */
async function unread({ req }: Context<McpContext>): Promise<Request> {
  return req.method === 'POST'
    ? new Request(req.raw, { method: 'POST', body: await req.text() })
    : req.raw
}

/** Errors of clients get a response; only our own are logged. */
function noteOwnFault(error: Error): void {
  if (error.name === 'TypeError') logFailure('unexpected_error', error)
}

/**
 * The JSON-RPC codes of refusals before the protocol; -32000 is the first that servers may define.
 */
const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const SERVER_ERROR = -32000

const tooLarge = () => refuse(413, SERVER_ERROR, 'El cuerpo supera los 16 KiB')

const cutShort = () => refuse(400, PARSE_ERROR, BODY_NOT_WHOLE)

/** Newer versions of the protocol have no batches, and a batch would count as one request. */
const batchRefused = () =>
  refuse(400, INVALID_REQUEST, 'Un pedido lleva un solo mensaje: las listas no se admiten')

const tooMany = (retryAfterSeconds: number) =>
  refuse(429, SERVER_ERROR, `Demasiados pedidos: probá de nuevo en ${retryAfterSeconds} segundos`, {
    'Retry-After': String(retryAfterSeconds),
  })

function refuse(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  const body = { jsonrpc: '2.0', id: null, error: { code, message } }
  return Response.json(body, { status, headers })
}

const INSTRUCTIONS =
  'Cotizaciones del mercado cambiario argentino, en pesos por unidad, actualizadas cada 5 minutos. ' +
  'buy es compra, sell es venta; los índices tienen un solo valor. updatedAt es cuándo cambió el ' +
  'valor y lastScrapedAt cuándo se lo confirmó, en hora argentina. Si mode no es live, los precios ' +
  'son simulados o repetidos. Los valores son informativos.'

/** A server of the six tools, for one request. */
function createMcpServer(context: ToolContext): McpServer {
  const server = new McpServer(
    { name: 'cotizaciones', title: 'Cotizaciones', version: '1.0.0' },
    { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: false } } },
  )
  const tools = [
    ...currentTools(context),
    dateTool(context),
    convertTool(context),
    invoicingTool(context),
  ]
  for (const tool of tools) tool.register(server)
  return server
}

const { date, currency, origin } = readQuoteAsOf.params!().shape
const { format: _, ...query } = readQuoteAsOf.query!().shape
const input = z.strictObject({ date, currency, origin: z.optional(origin), ...query })

/**
 * The value in effect at a past instant. It reads the database, so it has the limit of date reads.
 */
export function dateTool(context: ToolContext) {
  return defineTool({
    ...readQuoteAsOf.tool!,
    input,
    output: z.object({ quotes: z.array(datedQuoteSchema()) }),
    run: async ({ date, currency, origin, time, max_age: maxAge }) => {
      await refuseFlood(context)
      const pairs = requestedPairs(currency, origin)
      const query = dateQuery({ date, time }, context.now())
      if (!query.ok) throw new ToolError(query.refusal)

      return { quotes: await read(context, pairs, query.value, maxAge) }
    },
  })
}

async function read(
  { env }: ToolContext,
  pairs: readonly Pair[],
  query: DateQuery,
  maxAge: number | undefined,
) {
  const reading = quotesAsOf(env.DB, pairs, query.effectiveAt)
  const { quotes } = await orUnavailable(reading, 'date_read_failed')
  return pairs.map((pair, index) => datedQuote(pair, quotes[index] ?? null, query, maxAge))
}

/** The rate that an invoice must use. It reads the database, so it has the limit of date reads. */
export function invoicingTool(context: ToolContext) {
  return defineTool({
    ...readInvoicingRate.tool!,
    input: z.strictObject({
      ...readInvoicingRate.params!().shape,
      date: readInvoicingRate.query!().shape.date,
    }),
    output: z.object(rateSchema().shape),
    run: async ({ currency: code, date: text }) => {
      await refuseFlood(context)
      const now = context.now()
      const date = parseIssueDate(text ?? null, now)
      if (!date.ok) throw new ToolError(date.refusal)

      const currency = findInvoicingCurrency(code)!
      const reading = readInvoicing(context.env.DB, [currency.code], date.value, now)
      const known = await orUnavailable(reading, 'invoicing_read_failed')
      if (date.value > argentineDay(now) && !isCloseKnown(now, known))
        throw new ToolError(CLOSE_UNKNOWN)
      return invoicingRate(currency, date.value, known.rates[0] ?? null, known)
    },
  })
}
