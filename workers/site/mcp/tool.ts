import type {
  CallToolResult,
  McpServer,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { Tool } from '../../../shared/api/operation.ts'
import { type FieldRefusal, readFields } from '../../../shared/api/read-fields.ts'
import { logFailure } from '../../../shared/log.ts'

/** A refusal that the model reads: a Spanish sentence. */
export class ToolError extends Error {}

interface Definition<Input extends z.ZodObject, Output extends z.ZodObject> extends Tool {
  input: Input
  output: Output
  run: (input: z.output<Input>) => Promise<object>
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
      const parsed = readFields(input, given)
      if (!parsed.ok) throw new ToolError(explain(parsed.refusal, input))

      const structuredContent = (await run(parsed.value)) as Record<string, unknown>
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
        {
          title,
          description,
          inputSchema: shown(input, (value) => ({ value })),
          outputSchema: shown(output, output['~standard'].validate),
          annotations,
        },
        call,
      )
    },
  }
}

/**
 * A schema as clients are to see it; they see that of `zod/mini` too. Arguments are not validated
 * with it, because the library's messages are in English.
 */
function shown(
  schema: z.ZodObject,
  validate: StandardSchemaWithJSON['~standard']['validate'],
): StandardSchemaWithJSON<unknown, unknown> {
  const json = (io: 'input' | 'output') => () => z.toJSONSchema(schema, { io })
  const jsonSchema = { input: json('input'), output: json('output') }
  return { '~standard': { version: 1, vendor: 'zod', jsonSchema, validate } }
}

/** An argument that there is not names none of the fields. */
function explain({ field, text }: FieldRefusal, { shape }: z.ZodObject): string {
  if (field in shape) return text
  const names = Object.keys(shape).join(', ')
  return names === '' ? 'No lleva argumentos' : `Los argumentos son: ${names}`
}
