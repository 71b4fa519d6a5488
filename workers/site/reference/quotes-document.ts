import { currentReads, legacyReads } from '../../../shared/api/current.ts'
import { dates } from '../../../shared/api/dates.ts'
import { history } from '../../../shared/api/history.ts'
import type { Terms } from '../../../shared/api/operation.ts'
import { key, status } from '../../../shared/api/service.ts'
import { stream } from '../../../shared/api/stream.ts'
import { componentsOf, pathsOf } from './from-operations.ts'
import { ERRORS, keyLimits, publicLimits } from './limits.ts'
import { type Document, LICENSE } from './openapi.ts'
import { securitySchemes } from './security.ts'

const RESOURCES = [currentReads, stream, dates, history, key, status, legacyReads]

/** Quotes, dates, history, key check and status; versions as the contract states them. */
export function quotesDocument(terms: Terms): Document {
  const paths = pathsOf(RESOURCES, terms)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cotizaciones: lecturas',
      version: '2.1.0',
      license: LICENSE,
      summary: 'Los tipos de cambio del mercado argentino, ahora y a cualquier fecha.',
      description: [
        'Leer cotizaciones, actuales o a una fecha, es público: sin clave ni cuenta. El historial y la verificación de clave la necesitan. Los precios son pesos argentinos por unidad; las horas, argentinas (UTC−03:00).',
        `**Límites.** ${publicLimits(terms)} ${keyLimits(terms)}`,
        `**Errores.** ${ERRORS}`,
      ].join('\n\n'),
    },
    servers: [{ url: terms.origin, description: 'Este servicio' }],
    tags: RESOURCES.map(({ tag }) => tag),
    security: [],
    paths,
    components: { schemas: componentsOf(paths), securitySchemes },
  }
}
