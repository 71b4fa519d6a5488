import { Hono } from 'hono'
import type { SiteContext } from '../context.ts'
import { termsOf } from './limits.ts'
import type { Document } from './openapi.ts'
import { quotesDocument } from './quotes-document.ts'
import { webhooksDocument } from './webhooks-document.ts'

/** In seconds. Only a deployment changes the documents. */
const MAX_AGE = 3600

/** The OpenAPI documents, for programs of any origin. */
export function documentRoutes() {
  return new Hono<SiteContext>()
    .get('/openapi/quotes.json', (c) => respond(quotesDocument(termsOf(c))))
    .get('/openapi/webhooks.json', (c) => respond(webhooksDocument(termsOf(c))))
}

function respond(document: Document): Response {
  return Response.json(document, {
    headers: {
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': `public, max-age=${MAX_AGE}`,
    },
  })
}
