import type {
  CallToolResult,
  McpServer,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import type * as z from 'zod'
import { logFailure } from '../../../shared/log.ts'

/** A refusal that the model reads: a Spanish sentence. */
export class ToolError extends Error {}

interface Definition<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string
  title: string
  description: string
  input: Input
  output: Output
  run: (input: z.output<Input>) => Promise<z.input<Output>>
}

/**
 * A read-only tool whose every failure is a tool error in Spanish, wrong arguments among them: the
 * model can then correct itself, which it cannot with an error of the protocol.
 */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>({
  name,
  title,
  description,
  input,
  output,
  run,
}: Definition<Input, Output>) {
  async function call(given: unknown): Promise<CallToolResult> {
    try {
      const parsed = input.safeParse(given)
      if (!parsed.success) throw new ToolError(explain(parsed.error, input))

      const structuredContent = await run(parsed.data)
      const text = JSON.stringify(structuredContent)
      return { content: [{ type: 'text', text }], structuredContent }
    } catch (error) {
      if (!(error instanceof ToolError)) logFailure('unexpected_error', error)
      const text = error instanceof ToolError ? error.message : 'Error interno'
      return { content: [{ type: 'text', text }], isError: true }
    }
  }

  return {
    register(server: McpServer): void {
      const annotations = { readOnlyHint: true, openWorldHint: false, title }
      server.registerTool(
        name,
        { title, description, inputSchema: unchecked(input), outputSchema: output, annotations },
        call,
      )
    },
  }
}

/**
 * The schema for clients. The library does not validate with it, because its messages are in
 * English.
 */
function unchecked(schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  const standard = schema['~standard']
  return {
    '~standard': {
      version: 1,
      vendor: standard.vendor,
      jsonSchema: standard.jsonSchema,
      validate: (value) => ({ value }),
    },
  }
}

/** The error of the first wrong argument, without its value. */
function explain(error: z.ZodError, { shape }: z.ZodObject): string {
  const names = Object.keys(shape).join(', ')
  const [issue] = error.issues
  if (issue?.code === 'unrecognized_keys' || issue?.path[0] === undefined) {
    return names === '' ? 'No lleva argumentos' : `Los argumentos son: ${names}`
  }
  if (issue.code === 'invalid_value') {
    return `El argumento ${String(issue.path[0])} debe ser uno de: ${issue.values.join(', ')}`
  }
  return `El argumento ${String(issue.path[0])} falta o no es válido`
}
