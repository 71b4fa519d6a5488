import { Hono } from 'hono'
import type { SiteContext } from '../context.ts'
import { kept, OF_BUILD } from '../kept.ts'
import { DOCUMENTS } from './documents.ts'
import { termsOf } from './limits.ts'

/** In seconds. Only a deployment changes the documents. */
const MAX_AGE = 3600

/** The OpenAPI documents, for programs of any origin. */
export function documentRoutes() {
  const app = new Hono<SiteContext>()
  for (const { path, make } of DOCUMENTS)
    app.get(path, kept(OF_BUILD), (c) => respond(make(termsOf(c))))
  return app
}

function respond(document: object): Response {
  return Response.json(document, {
    headers: {
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': `public, max-age=${MAX_AGE}`,
    },
  })
}
