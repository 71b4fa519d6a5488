import { Hono } from 'hono'
import type { AppDeps, EdgeContext } from '../context.ts'

/** The routes of the extras document (decision 63): one line a subject. */
export function extraRoutes(_deps: AppDeps) {
  return new Hono<EdgeContext>()
}
