import type { Route } from '../route.ts'

/** The operations of the extras document, public and private. */
export const extraRoutes: Route[] = []
