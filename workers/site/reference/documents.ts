import { extensionsDocument } from './extensions-document.ts'
import type { Terms } from '../../../shared/api/operation.ts'
import type { Document } from './openapi.ts'
import { quotesDocument } from './quotes-document.ts'
import { webhooksDocument } from './webhooks-document.ts'

export interface ServedDocument {
  path: string
  /** How pages name it. */
  title: string
  make: (terms: Terms) => Document
}

/** Every OpenAPI document that is served. `public/static/docs.js` lists them for Scalar. */
export const DOCUMENTS: readonly ServedDocument[] = [
  { path: '/openapi/quotes.json', title: 'OpenAPI de lecturas', make: quotesDocument },
  { path: '/openapi/webhooks.json', title: 'OpenAPI de webhooks', make: webhooksDocument },
  { path: '/openapi/extras.json', title: 'OpenAPI de agregados', make: extensionsDocument },
]
