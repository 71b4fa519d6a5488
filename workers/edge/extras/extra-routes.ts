import { Hono } from 'hono'
import type { AppDeps, EdgeContext } from '../context.ts'
import { convertRoutes } from './convert.ts'

/** The routes of the extras document (decision 63): one line a subject. */
export function extraRoutes(deps: AppDeps) {
  return new Hono<EdgeContext>().route('/', convertRoutes(deps))
}
