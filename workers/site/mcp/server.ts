import { McpServer } from '@modelcontextprotocol/server'
import type { ToolContext } from './tool-context.ts'
import { currentTools } from './current-tools.ts'
import { convertTool } from './convert-tool.ts'
import { dateTool } from './date-tool.ts'
import { invoicingTool } from './invoicing-tool.ts'

const INSTRUCTIONS =
  'Cotizaciones del mercado cambiario argentino, en pesos por unidad, actualizadas cada 5 minutos. ' +
  'buy es compra, sell es venta; los índices tienen un solo valor. updatedAt es cuándo cambió el ' +
  'valor y lastScrapedAt cuándo se lo confirmó, en hora argentina. Si mode no es live, los precios ' +
  'son simulados o repetidos. Los valores son informativos.'

/** A server of the six tools, for one request. */
export function createMcpServer(context: ToolContext): McpServer {
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
