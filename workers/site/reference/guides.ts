import { DOCUMENTS } from './documents.ts'
import { changesGuide } from './guides/changes.ts'
import { movingGuide } from './guides/moving.ts'
import { spreadsheetsGuide } from './guides/spreadsheets.ts'
import { webhooksGuide } from './guides/webhooks.ts'
import type { Deployment } from '../../../shared/api/operation.ts'
import type { DocPage } from './page.ts'
import { referencePage } from './reference-page.ts'

/** Every page of the documentation that reads without JavaScript, made on request. */
export const GUIDES: readonly { path: string; make: (deployment: Deployment) => DocPage }[] = [
  {
    path: '/docs/referencia',
    make: (deployment) => referencePage(DOCUMENTS.map((document) => document.make(deployment))),
  },
  { path: '/docs/webhooks', make: webhooksGuide },
  { path: '/docs/planillas', make: spreadsheetsGuide },
  { path: '/mudarse', make: movingGuide },
  { path: changesGuide.path, make: () => changesGuide },
]
