import { DOCUMENTS } from './documents.ts'
import { changesGuide } from './guides/changes.ts'
import { spreadsheetsGuide } from './guides/spreadsheets.ts'
import { webhooksGuide } from './guides/webhooks.ts'
import type { Terms } from './limits.ts'
import type { DocPage } from './page.ts'
import { referencePage } from './reference-page.ts'

/** Every page of the documentation that reads without JavaScript, made when asked for. */
export const GUIDES: readonly { path: string; make: (terms: Terms) => DocPage }[] = [
  {
    path: '/docs/referencia',
    make: (terms) => referencePage(DOCUMENTS.map((document) => document.make(terms))),
  },
  { path: '/docs/webhooks', make: webhooksGuide },
  { path: '/docs/planillas', make: spreadsheetsGuide },
  { path: changesGuide.path, make: () => changesGuide },
]
