import type { Route } from '../route.ts'
import { alertRoutes } from './alerts.ts'

/** The operations of the extras document, public and private. */
export const extraRoutes: Route[] = [...alertRoutes]
