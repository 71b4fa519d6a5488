import type { CallToolResult, StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import * as z from 'zod/mini'
import { doc, type Tool } from '../../../shared/api/operation.ts'
import { MODES } from '../../../shared/board/board.ts'
import { logFailure } from '../../../shared/log.ts'
import { type FieldRefusal, readFields } from '../http/read-fields.ts'

/** Reads the API on behalf of the tool's client. */
export type ReadApi = (path: string) => Response | Promise<Response>

/** A refusal for the model to read, in Spanish. */
export class ToolError extends Error {}

interface Definition<Input extends z.ZodMiniObject> extends Tool {
  input: Input
  /** The fields of the answer. All tools also have `mode`. */
  output: z.core.$ZodLooseShape
  /** The API paths to read. Of several paths, a path that answers 404 is left out. */
  requests: (values: z.output<Input>) => readonly string[]
  /** Makes the fields from the API's answers. */
  fields: (answers: unknown[]) => object
}

export type DefinedTool = ReturnType<typeof defineTool>

/** Makes a tool with the schemas that clients see, and with the check of its arguments. */
export function defineTool<Input extends z.ZodMiniObject>({
  input,
  output,
  requests,
  ...described
}: Definition<Input>) {
  const mode = doc(z.enum(MODES), 'live: precios reales; si no, simulados o repetidos')
  const result = z.object({ mode, ...output })
  return {
    ...described,
    inputSchema: shown(input),
    outputSchema: shown(result),
    requests(given: unknown): readonly string[] {
      const parsed = readFields(input, withoutNulls(given))
      if (!parsed.ok) throw new ToolError(explain(parsed.refusal, input))
      return requests(parsed.value)
    },
  }
}

/**
 * Runs a tool. Every failure, wrong arguments included, becomes a tool error in Spanish: a model
 * can correct its call after a tool error, but not after an error of the protocol.
 */
export async function callTool(
  { requests, fields }: DefinedTool,
  given: unknown,
  readApi: ReadApi,
): Promise<CallToolResult> {
  try {
    const responses = await Promise.all(requests(given).map(readApi))
    const answered = responses.filter(({ ok }) => ok)
    const refused = responses.find(
      ({ ok, status }) => !ok && (status !== 404 || answered.length === 0),
    )
    if (refused) throw new ToolError(await wordsOf(refused))

    const mode = answered[0]!.headers.get('X-Service-Mode') ?? 'live'
    const answers = await Promise.all(answered.map((response) => response.json()))
    const structuredContent = { mode, ...fields(answers) }
    return { content: [textOf(JSON.stringify(structuredContent))], structuredContent }
  } catch (error) {
    if (!(error instanceof ToolError)) logFailure('unexpected_error', error)
    const text = error instanceof ToolError ? error.message : 'Error interno'
    return { content: [textOf(text)], isError: true }
  }
}

const textOf = (text: string) => ({ type: 'text' as const, text })

/** The sentence of an API refusal, from an Error object or plain text. */
async function wordsOf(response: Response): Promise<string> {
  const text = await response.text()
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
  return isJson ? (JSON.parse(text) as { error: string }).error : text
}

/** Some models send `null` for an argument that they leave out. */
function withoutNulls(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return {}
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
}

/** The text of a refusal. For an unknown argument, it lists the arguments that exist. */
function explain({ field, text }: FieldRefusal, { shape }: z.ZodMiniObject): string {
  if (field in shape) return text
  const names = Object.keys(shape).join(', ')
  return names === '' ? 'No lleva argumentos' : `Los argumentos son: ${names}`
}

/**
 * A schema that is only shown to clients. The library validates nothing with it: its messages about
 * arguments are in English, and the API has checked the answers.
 */
function shown(schema: z.ZodMiniObject): StandardSchemaWithJSON<unknown, unknown> {
  const json = (io: 'input' | 'output') => () => {
    const text = JSON.stringify(z.toJSONSchema(schema, { io }))
    return JSON.parse(text, withoutTypeLists) as Record<string, unknown>
  }
  return {
    '~standard': {
      version: 1,
      vendor: 'zod',
      jsonSchema: { input: json('input'), output: json('output') },
      validate: (value) => ({ value }),
    },
  }
}

/** Gemini refuses every request of a session that has a tool with `type: ["string", "number"]`. */
function withoutTypeLists(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (!('type' in value) || !Array.isArray(value.type)) return value
  const { type, ...others } = value
  return { ...others, anyOf: type.map((each: unknown) => ({ type: each })) }
}
