import { archive } from '../../../../shared/api/archive.ts'
import { compatibility } from '../../../../shared/api/compatibility.ts'
import { convert } from '../../../../shared/api/convert.ts'
import { sheetReads } from '../../../../shared/api/current.ts'
import { invoicing } from '../../../../shared/api/invoicing.ts'
import type { Resource } from '../../../../shared/api/operation.ts'
import { series } from '../../../../shared/api/series.ts'
import { pathsOf } from '../from-operations.ts'
import { alertsExtension } from './alerts.ts'
import type { Extension } from './extension.ts'
import { redeliveryExtension } from './redelivery.ts'

/**
 * Every subject of the extensions document, in its order: one line a subject. Its routes go into
 * `workers/edge/extensions/extension-routes.ts`, the first word of its paths into `RESERVED` of
 * `current-read.ts`, and a test of each declared answer into `test/site/reference/extensions/`.
 */
export const EXTENSIONS: readonly Extension[] = [
  ...[invoicing, series, convert].map(extensionOf),
  alertsExtension,
  redeliveryExtension,
  ...[sheetReads, archive, compatibility].map(extensionOf),
]

function extensionOf(resource: Resource): Extension {
  const { tag, compatibility } = resource
  return {
    tag,
    // Where these addresses are off, they are not documented.
    paths: (terms) => (compatibility && !terms.compatibility ? {} : pathsOf([resource], terms)),
    schemas: {},
  }
}
