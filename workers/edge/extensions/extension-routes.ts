import { Hono } from '../hono.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { convertRoutes } from './convert.ts'
import { invoicingRoutes } from './invoicing.ts'
import { seriesRoutes } from './series.ts'

/**
 * The routes of the extensions document (decision 63: a document of its own), one line per subject.
 */
export function extensionRoutes(deps: AppDeps) {
  return new Hono<EdgeContext>()
    .route('/', invoicingRoutes(deps))
    .route('/', convertRoutes(deps))
    .route('/', seriesRoutes(deps))
}
