import type {
  CallToolResult,
  McpServer,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { Tool } from '../../../shared/api/operation.ts'
import { type FieldRefusal, readFields } from '../../../shared/api/read-fields.ts'
import type { Admission } from '../../../shared/access/burst-limit.ts'
import type { Instant } from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'
import { readBoard } from '../../../shared/board/read-board.ts'
import { boardFromDatabase } from '../../../shared/db/quotes/board-fallback.ts'
import { logFailure } from '../../../shared/log.ts'
import { orThrow } from '../../../shared/or-throw.ts'
import type { Result } from '../../../shared/result.ts'
import type { SiteEnv } from '../context.ts'

/** What the tools of one request work with. */
export interface ToolContext {
  env: Pick<SiteEnv, 'BOARD' | 'DB'>
  now: () => Instant
  /** The board, read at most once. */
  readBoard: () => Promise<Board>
  /** Counts a read of a past value against its client's limit. */
  admitDate: () => Admission
}

/** A refusal that the model reads: a Spanish sentence. */
export class ToolError extends Error {}

export function valueOf<Value>(result: Result<Value, string>): Value {
  if (!result.ok) throw new ToolError(result.refusal)
  return result.value
}

/** The board as one request sees it, first read when a tool wants it. */
export function onceBoard(context: Pick<ToolContext, 'env' | 'now'>): () => Promise<Board> {
  let board: Promise<Board> | undefined
  return () => (board ??= boardOrError(context))
}

/** The board as the current reads see it: from KV, or from the tables when that cannot be trusted. */
async function boardOrError({ env, now }: Pick<ToolContext, 'env' | 'now'>): Promise<Board> {
  const startedAt = now()
  const fallback = () => boardFromDatabase(env.DB, startedAt)
  const { board } = await readBoard(env.BOARD, fallback, startedAt)
  if (!board) throw unavailable()
  return board
}

/** The result of the database, or a tool error when it fails; the failure is logged as `event`. */
export function orUnavailable<Value>(answer: Promise<Value>, event: string): Promise<Value> {
  return orThrow(answer, event, unavailable)
}

const unavailable = () =>
  new ToolError(
    'Las cotizaciones no están disponibles en este momento: probá de nuevo en unos segundos',
  )

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

  return (server: McpServer) => {
    const definition = {
      title,
      description,
      inputSchema: shown(input, (value) => ({ value })),
      outputSchema: shown(output, output['~standard'].validate),
      annotations: { readOnlyHint: true, openWorldHint: false, title },
    }
    server.registerTool(name, definition, call)
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
