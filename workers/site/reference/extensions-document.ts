import { withMethodRefusals } from './responses.ts'
import { EXTENSIONS } from './extensions/extensions.ts'
import type { Terms } from '../../../shared/api/operation.ts'
import { componentsOf } from './from-operations.ts'
import { ERRORS, keyLimits, publicLimits } from './limits.ts'
import { type Document, LICENSE } from './openapi.ts'
import { errorObject } from '../../../shared/api/fields.ts'
import { securitySchemes } from './security.ts'
import { toComponents } from './to-schemas.ts'

/**
 * What the service offers beyond the contract's two documents (decision 63: a document of its own).
 */
export function extensionsDocument(terms: Terms): Document {
  const paths = withMethodRefusals(
    Object.assign({}, ...EXTENSIONS.map(({ paths }) => paths(terms))) as Document['paths'],
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cotizaciones: agregados',
      version: '1.0.0',
      license: LICENSE,
      summary: 'Lo que hasta ahora había que hacer a mano con las cotizaciones.',
      description: [
        'Rutas que se suman a las de lecturas y webhooks, con las mismas reglas: días y horas argentinos, decimales exactos, `ETag` y 304 en lo que se puede guardar. Un parámetro que una ruta no tiene es 400.',
        `**Límites.** ${publicLimits(terms)} ${keyLimits(terms)}`,
        `**Errores.** ${ERRORS}`,
      ].join('\n\n'),
    },
    servers: [{ url: terms.origin, description: 'Este servicio' }],
    tags: EXTENSIONS.map(({ tag }) => tag),
    security: [],
    paths,
    webhooks: Object.assign(
      {},
      ...EXTENSIONS.map(({ events }) => events?.(terms)),
    ) as Document['paths'],
    components: {
      schemas: {
        ...toComponents(
          Object.assign({ Error: errorObject }, ...EXTENSIONS.map(({ schemas }) => schemas)),
        ),
        ...componentsOf(paths),
      },
      securitySchemes,
    },
  }
}
