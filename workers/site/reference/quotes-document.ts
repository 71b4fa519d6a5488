import { withMethodRefusals } from './responses.ts'
import { currentPaths } from './current-paths.ts'
import { datedPaths } from './dated-paths.ts'
import { ERRORS, keyLimits, publicLimits, type Terms } from './limits.ts'
import { type Document, LICENSE } from './openapi.ts'
import { privatePaths } from './private-paths.ts'
import { errorObject } from './schemas/common.ts'
import * as schemas from './schemas/quotes.ts'
import { securitySchemes } from './security.ts'
import { streamPath } from './stream-path.ts'
import { toComponents } from './to-schemas.ts'

/** Quotes, dates, history, key check and status; versions as the contract states them. */
export function quotesDocument(terms: Terms): Document {
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
    tags: [
      { name: 'Cotizaciones actuales', description: 'Los valores vigentes.' },
      { name: 'En el momento', description: 'Cada cambio, apenas ocurre.' },
      { name: 'Por fecha', description: 'Los valores vigentes en cualquier instante pasado.' },
      { name: 'Historial', description: 'Series de un par; con clave.' },
      { name: 'Clave', description: 'Si una clave sirve.' },
      { name: 'Estado', description: 'Cómo anda el servicio.' },
      { name: 'Generación 1', description: 'Nombres en castellano; estable, sin novedades.' },
    ],
    security: [],
    paths: withMethodRefusals({
      ...currentPaths,
      ...streamPath,
      ...datedPaths(terms),
      ...privatePaths,
    }),
    components: {
      schemas: toComponents({
        Quote: schemas.quote,
        CurrentQuote: schemas.currentQuote,
        Change: schemas.change,
        LegacyQuote: schemas.legacyQuote,
        DatedQuote: schemas.datedQuote,
        HistoryPoint: schemas.historyPoint,
        Candles: schemas.candles,
        Candle: schemas.candle,
        KeyCheck: schemas.keyCheck,
        Status: schemas.serviceStatus,
        Error: errorObject,
      }),
      securitySchemes,
    },
  }
}
