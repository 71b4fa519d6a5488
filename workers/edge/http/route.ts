/**
 * Makes routes from the definitions of operations: method, address, and the checks of a request.
 */
import type { Context, MiddlewareHandler } from 'hono'
import type { Operation } from '../../../shared/api/operation.ts'
import { badRequest, HttpError } from '../../../shared/http-error.ts'
import { readQuery } from './query.ts'
import { QUOTE_NOT_FOUND } from '../../../shared/sentences.ts'
import { UUID_PATTERN } from '../../../shared/crypto/random.ts'
import type { UnknownKeyLimit } from '../../../shared/access/unknown-key-limit.ts'
import type { AnswerMemory } from '../answer-memory.ts'
import type { BoardMemory } from '../board-memory.ts'
import type { Deps, EdgeContext } from '../context.ts'
import type { Hono } from '../hono.ts'
import { prefersCsv } from './accept.ts'
import { type DateQuery, dateQuery } from './dated.ts'
import { readBody } from './json-body.ts'
import { readFields } from './read-fields.ts'
import { modeHeader } from './answer.ts'
import type * as z from 'zod/mini'

/** What the routes share. */
export interface AppDeps extends Deps {
  answers: AnswerMemory
  board: BoardMemory
  /** Counts date reads. Every route that reads the database without a key is behind it. */
  dateRateLimit: MiddlewareHandler<EdgeContext>
  unknownKeys: UnknownKeyLimit
}

/** The app. Each file of `routes/` adds its routes to the app. */
export type App = Hono<EdgeContext>

/** The validated values of a request. */
export interface Input<
  Params extends z.ZodMiniObject = z.ZodMiniObject,
  Query extends z.ZodMiniObject = z.ZodMiniObject,
  Body extends z.ZodMiniType = z.ZodMiniType,
> {
  params: z.output<Params>
  query: z.output<Query>
  body: z.output<Body>
  /** The instant that the path's date and the query's time ask for. */
  dated: DateQuery | null
  /** Whether `format` or `Accept` asks for CSV rather than JSON. */
  csv: boolean
}

/** Adds an operation behind its middleware. */
export function route<
  Params extends z.ZodMiniObject,
  Query extends z.ZodMiniObject,
  Body extends z.ZodMiniType,
>(
  app: App,
  operation: Operation<Params, Query, Body>,
  before: readonly MiddlewareHandler<EdgeContext>[],
  handle: (
    c: Context<EdgeContext>,
    input: Input<Params, Query, Body>,
  ) => Response | Promise<Response>,
): void {
  let schemas: Schemas | undefined
  app.on(operation.method.toUpperCase(), [honoPath(operation.path)], ...before, async (c) => {
    schemas ??= {
      params: operation.params?.(),
      query: operation.query?.(),
      body: operation.body?.schema(),
    }
    c.set('parameters', Object.keys(schemas.query?.shape ?? {}))
    return handle(c, (await readInput(operation, schemas, c)) as Input<Params, Query, Body>)
  })
}

/** The forms that path parameters must have. A path with another form matches no operation. */
const FORMS: Readonly<Record<string, string>> = {
  id: `{${UUID_PATTERN}}`,
  deliveryId: `{${UUID_PATTERN}}`,
  year: '{[0-9]{4}}',
  month: '{[0-9]{2}}',
  day: '{[0-9]{2}}',
}

/** A path such as `/api/v2/{currency}`, as the router writes it. */
const honoPath = (path: string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `:${name}${FORMS[name] ?? ''}`)

interface Schemas {
  params: z.ZodMiniObject | undefined
  query: z.ZodMiniObject | undefined
  body: z.ZodMiniType | undefined
}

type Described = Pick<Operation, 'notFoundText' | 'queryText' | 'body'>

/** Throws a 404 for an unknown code, which it checks first, or a 400 for another invalid value. */
async function readInput(
  { notFoundText = QUOTE_NOT_FOUND, queryText, body }: Described,
  schemas: Schemas,
  c: Context<EdgeContext>,
): Promise<Input> {
  const params = schemas.params && readFields(schemas.params, c.req.param())
  if (params && !params.ok && params.refusal.field !== 'date')
    throw new HttpError(404, notFoundText)
  const values = schemas.query ? givenValues(schemas.query, c, queryText) : {}
  const date = c.req.param('date')
  const dated = date === undefined ? null : dateQuery(date, values['time'], c.var.now())

  const query = schemas.query && readFields(schemas.query, values)
  if (query && !query.ok) {
    throw query.refusal.field === 'origin'
      ? new HttpError(404, notFoundText)
      : badRequest(queryText ?? query.refusal.text)
  }
  return {
    params: params?.ok ? params.value : {},
    query: query?.value ?? {},
    dated,
    body: schemas.body && (await readBody(c.req.raw, schemas.body, body)),
    csv: values['format'] === 'csv' || prefersCsv(c.req.header('Accept')),
  }
}

/** The query's values. A strict query with an unknown or a repeated parameter is a 400. */
function givenValues(
  schema: z.ZodMiniObject,
  c: Context<EdgeContext>,
  refusal: string | undefined,
): Record<string, string> {
  const isStrict = schema.def.catchall !== undefined
  const names = Object.keys(schema.shape)
  const given = isStrict
    ? readQuery(c.req.raw, names, refusal)
    : new URL(c.req.raw.url).searchParams
  const present = names.filter((name) => given.has(name))
  return Object.fromEntries(present.map((name) => [name, given.get(name)!]))
}

/** Adds the mode to answers with simulated or replayed prices. Refusals hold no prices. */
export function serviceMode({ board }: AppDeps): MiddlewareHandler<EdgeContext> {
  return async function addMode(c, next) {
    await next()
    if (c.res.status >= 400) return
    const mode = await board.mode(c)
    for (const [name, value] of Object.entries(modeHeader(mode))) c.header(name, value)
  }
}
