import { Hono } from 'hono'
import type { AppDeps, EdgeContext } from '../context.ts'
import { alertRoutes } from './alerts.ts'

/** The routes of the extras document (decision 63): one line a subject. */
export function extraRoutes(deps: AppDeps) {
  return new Hono<EdgeContext>().route('/', alertRoutes(deps))
}
