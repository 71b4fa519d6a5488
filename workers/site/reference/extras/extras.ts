import { alertsExtra } from './alerts.ts'
import { archiveExtra } from './archive.ts'
import { convertExtra } from './convert.ts'
import type { Extra } from './extra.ts'
import { invoicingExtra } from './invoicing.ts'
import { redeliveryExtra } from './redelivery.ts'
import { seriesExtra } from './series.ts'
import { peersExtra } from './compatibility.ts'
import { recordExtra } from './record.ts'
import { sheetsExtra } from './sheets.ts'

/**
 * Every subject of the extras document, in its order: one line a subject. Its routes go into
 * `workers/edge/extras/extra-routes.ts`, the first word of its paths into `RESERVED` of
 * `current-read.ts`, its requests into `tools/prove/fuzz/grammar/routes/extras.ts`, and a test of each
 * declared answer into `test/site/reference/extras/`.
 */
export const EXTRAS: readonly Extra[] = [
  invoicingExtra,
  seriesExtra,
  convertExtra,
  alertsExtra,
  redeliveryExtra,
  sheetsExtra,
  archiveExtra,
  recordExtra,
  peersExtra,
]
