import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { logFailure } from '../../../shared/log.ts'
import { type Ask, callTool } from './call-tool.ts'
import { TOOLS } from './tools.ts'

const INSTRUCTIONS =
  'Cotizaciones del mercado cambiario argentino, en pesos por unidad, actualizadas cada 5 minutos. ' +
  'buy es compra, sell es venta; los índices tienen un solo valor. updatedAt es cuándo cambió el ' +
  'valor y lastScrapedAt cuándo se lo confirmó, en hora argentina. Si mode no es live, los precios ' +
  'son simulados o repetidos. Los valores son informativos.'

/** Answers a request, whose message is read already, with a server of its own. */
export async function answerMcp(request: Request, message: unknown, ask: Ask): Promise<Response> {
  // The library refuses clients that do not take both forms. The answer is JSON in any case.
  const headers = new Headers(request.headers)
  headers.set('Accept', 'application/json, text/event-stream')
  headers.set('Content-Type', 'application/json')
  const { method, signal } = request
  const forwarded = new Request(request.url, { method, headers, signal })
  const options = { parsedBody: withArguments(message) }

  if (await isLegacyRequest(forwarded, message)) {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await createMcpServer(ask).connect(transport)
    return transport.handleRequest(forwarded, options)
  }
  const handler = createMcpHandler(() => createMcpServer(ask), {
    legacy: 'reject',
    // Nobody can subscribe, because the tools never change.
    maxSubscriptions: 0,
    onerror: noteOwnFault,
  })
  return handler.fetch(forwarded, options)
}

/** The library refuses `null` for arguments that there are not; some clients send it. */
function withArguments(message: unknown): unknown {
  const { params } = Object(message) as { params?: { arguments?: unknown } | null }
  return params?.arguments === null
    ? { ...Object(message), params: { ...params, arguments: {} } }
    : message
}

/** Errors of clients get a response; only our own are logged. */
function noteOwnFault(error: Error): void {
  if (error.name === 'TypeError') logFailure('unexpected_error', error)
}

function createMcpServer(ask: Ask): McpServer {
  const server = new McpServer(
    { name: 'cotizaciones', title: 'Cotizaciones', version: '1.0.0' },
    { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: false } } },
  )
  for (const tool of TOOLS) {
    const { name, title, description, inputSchema, outputSchema } = tool
    const annotations = { readOnlyHint: true, openWorldHint: false, title }
    server.registerTool(
      name,
      { title, description, annotations, inputSchema, outputSchema },
      (given: unknown) => callTool(tool, given, ask),
    )
  }
  return server
}
