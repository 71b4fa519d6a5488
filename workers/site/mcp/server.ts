// First: in a bundle, zod is evaluated where one of our modules imports it, and the library of the
// protocol needs it during its own evaluation.
import 'zod'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { logFailure } from '../../../shared/log.ts'
import { convertTool, currentTools, dateTool, invoicingTool } from './tools.ts'
import { onceBoard, type ToolContext } from './tool.ts'

const INSTRUCTIONS =
  'Cotizaciones del mercado cambiario argentino, en pesos por unidad, actualizadas cada 5 minutos. ' +
  'buy es compra, sell es venta; los índices tienen un solo valor. updatedAt es cuándo cambió el ' +
  'valor y lastScrapedAt cuándo se lo confirmó, en hora argentina. Si mode no es live, los precios ' +
  'son simulados o repetidos. Los valores son informativos.'

/** Answers a request, whose message is read already, with a server of the six tools. */
export function answerMcp(
  request: Request,
  message: unknown,
  context: Omit<ToolContext, 'readBoard'>,
): Promise<Response> {
  const handler = createMcpHandler(
    () => createMcpServer({ ...context, readBoard: onceBoard(context) }),
    { maxSubscriptions: 0, onerror: noteOwnFault },
  )
  return handler.fetch(request, { parsedBody: message })
}

/** Errors of clients get a response; only our own are logged. */
function noteOwnFault(error: Error): void {
  if (error.name === 'TypeError') logFailure('unexpected_error', error)
}

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
  for (const addTool of tools) addTool(server)
  return server
}
