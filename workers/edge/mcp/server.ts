/**
 * The MCP library, which `mcp-routes.ts` loads at the first call. Of our own code this module
 * imports only types: with esbuild, each further import of a lazy module slows the start.
 */
import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { DefinedTool } from './call-tool.ts'

const INSTRUCTIONS =
  'Cotizaciones del mercado cambiario argentino, en pesos por unidad, actualizadas cada 5 minutos. ' +
  'buy es compra, sell es venta; los índices tienen un solo valor. updatedAt es cuándo cambió el ' +
  'valor y lastScrapedAt cuándo se lo confirmó, en hora argentina. Si mode no es live, los precios ' +
  'son simulados o repetidos. Los valores son informativos.'

interface Served {
  tools: readonly DefinedTool[]
  /** Runs a tool with the arguments that a client sent. */
  call: (tool: DefinedTool, given: unknown) => Promise<CallToolResult>
  /** Called with every error, also with errors of clients. */
  onerror: (error: Error) => void
}

/** Answers a request whose message is already read, with a new server. */
export async function answerMcp(
  request: Request,
  message: unknown,
  served: Served,
): Promise<Response> {
  // The library refuses clients that do not accept both types. The answer is JSON in any case.
  const headers = new Headers(request.headers)
  headers.set('Accept', 'application/json, text/event-stream')
  headers.set('Content-Type', 'application/json')
  const { method, signal } = request
  const forwarded = new Request(request.url, { method, headers, signal })
  const options = { parsedBody: withArguments(message) }

  if (await isLegacyRequest(forwarded, message)) {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await createMcpServer(served).connect(transport)
    return transport.handleRequest(forwarded, options)
  }
  const handler = createMcpHandler(() => createMcpServer(served), {
    legacy: 'reject',
    // Nobody can subscribe, because the tools never change.
    maxSubscriptions: 0,
    onerror: served.onerror,
  })
  return handler.fetch(forwarded, options)
}

/** The library refuses `null` instead of arguments, which some clients send. */
function withArguments(message: unknown): unknown {
  const { params } = Object(message) as { params?: { arguments?: unknown } | null }
  return params?.arguments === null
    ? { ...Object(message), params: { ...params, arguments: {} } }
    : message
}

function createMcpServer({ tools, call }: Served): McpServer {
  const server = new McpServer(
    { name: 'cotizaciones', title: 'Cotizaciones', version: '1.0.0' },
    { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: false } } },
  )
  for (const tool of tools) {
    const { name, title, description, inputSchema, outputSchema } = tool
    const annotations = { readOnlyHint: true, openWorldHint: false, title }
    server.registerTool(
      name,
      { title, description, annotations, inputSchema, outputSchema },
      (given: unknown) => call(tool, given),
    )
  }
  return server
}
