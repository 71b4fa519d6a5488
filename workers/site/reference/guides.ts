import { changesGuide } from './guides/changes.ts'
import { spreadsheetsGuide } from './guides/spreadsheets.ts'
import { webhooksGuide } from './guides/webhooks.ts'
import type { DocPage } from './page.ts'
import { quotesDocument } from './quotes-document.ts'
import { referencePage } from './reference-page.ts'
import { webhooksDocument } from './webhooks-document.ts'

/** Every page of the documentation that reads without JavaScript, made when asked for. */
export const GUIDES: readonly { path: string; make: (origin: string) => DocPage }[] = [
  {
    path: '/docs/referencia',
    make: (origin) => referencePage([quotesDocument(origin), webhooksDocument(origin)]),
  },
  { path: webhooksGuide.path, make: () => webhooksGuide },
  { path: '/docs/planillas', make: spreadsheetsGuide },
  { path: changesGuide.path, make: () => changesGuide },
]
