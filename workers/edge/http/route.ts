/** Routes after the definitions of their operations: address, method and what a request carries. */
import type { Context, MiddlewareHandler } from 'hono'
import type * as z from 'zod'
import type { Operation } from '../../../shared/api/operation.ts'
import { readFields } from '../../../shared/api/read-fields.ts'
import { badRequest, HttpError } from '../../../shared/http-error.ts'
import { dateQuery } from '../../../shared/market/date-query.ts'
import { readQuery } from '../../../shared/query.ts'
import { QUOTE_NOT_FOUND } from '../../../shared/sentences.ts'
import type { EdgeContext } from '../context.ts'
import type { Hono } from '../hono.ts'
import { prefersCsv } from './accept.ts'

/** What a request of an operation carries, checked. */
export interface Input<Params extends z.ZodObject, Query extends z.ZodObject> {
  params: z.output<Params>
  query: z.output<Query>
  /** Whether `format` or `Accept` asks for CSV rather than JSON. */
  csv: boolean
}

/** Adds an operation behind its middleware. */
export function route<Params extends z.ZodObject, Query extends z.ZodObject>(
  app: Hono<EdgeContext>,
  operation: Operation<Params, Query>,
  before: readonly MiddlewareHandler<EdgeContext>[],
  handle: (c: Context<EdgeContext>, input: Input<Params, Query>) => Response | Promise<Response>,
): void {
  app.on(operation.method.toUpperCase(), [honoPath(operation.path)], ...before, (c) =>
    handle(c, readInput(operation, c)),
  )
}

/** `/api/v2/{currency}` as the router writes it. */
export const honoPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** A code that does not exist is 404, before anything else; everything else that is wrong is 400. */
function readInput<Params extends z.ZodObject, Query extends z.ZodObject>(
  { params: ofPath, query: ofQuery, notFoundText = QUOTE_NOT_FOUND }: Operation<Params, Query>,
  c: Context<EdgeContext>,
): Input<Params, Query> {
  const params = ofPath && readFields(ofPath, c.req.param())
  if (params && !params.ok && params.refusal.field !== 'date')
    throw new HttpError(404, notFoundText)
  const given = ofQuery && readQuery(c.req.raw, Object.keys(ofQuery.shape))
  if (params && !params.ok) throw badRequest(params.refusal.text)

  const names = Object.keys(ofQuery?.shape ?? {}).filter((name) => given?.has(name))
  const values: Values = Object.fromEntries(names.map((name) => [name, given!.get(name)]))
  const query = ofQuery && readFields(ofQuery, values)
  if (query && !query.ok) {
    const ofDate = refusalOfDate(query.refusal.field, c, values)
    if (ofDate) throw badRequest(ofDate)
    throw query.refusal.field === 'origin'
      ? new HttpError(404, notFoundText)
      : badRequest(query.refusal.text)
  }
  return {
    params: (params?.value ?? {}) as z.output<Params>,
    query: (query?.value ?? {}) as z.output<Query>,
    csv: values['format'] === 'csv' || prefersCsv(c.req.header('Accept')),
  }
}

type Values = Readonly<Record<string, string | null>>

/** What is wrong with the date itself comes before a wrong `time`, `max_age` or `format` of it. */
function refusalOfDate(wrong: string, c: Context<EdgeContext>, values: Values): string | null {
  const isTime = wrong === 'time'
  const date = c.req.param('date') ?? (isTime ? values['date'] : null)
  if (date == null) return null
  const time = isTime ? undefined : (values['time'] ?? undefined)
  const query = dateQuery({ date, time }, c.get('now')())
  return query.ok ? null : query.refusal
}
