import { alertsExtension } from './alerts.ts'
import { archiveExtension } from './archive.ts'
import { convertExtension } from './convert.ts'
import type { Extension } from './extension.ts'
import { invoicingExtension } from './invoicing.ts'
import { redeliveryExtension } from './redelivery.ts'
import { seriesExtension } from './series.ts'
import { compatibilityExtension } from './compatibility.ts'
import { sheetsExtension } from './sheets.ts'

/**
 * Every subject of the extensions document, in its order: one line a subject. Its routes go into
 * `workers/edge/extensions/extension-routes.ts`, the first word of its paths into `RESERVED` of
 * `current-read.ts`, and a test of each declared answer into `test/site/reference/extensions/`.
 */
export const EXTENSIONS: readonly Extension[] = [
  invoicingExtension,
  seriesExtension,
  convertExtension,
  alertsExtension,
  redeliveryExtension,
  sheetsExtension,
  archiveExtension,
  compatibilityExtension,
]
