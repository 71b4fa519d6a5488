import { expect, it } from 'vitest'
import { CURRENT_PATHS } from '../../../workers/edge/current/current-read.ts'
import { COMPATIBILITY_CURRENT_PATHS } from '../../../workers/edge/compatibility/current.ts'
import { createApp } from '../../../workers/edge/app.ts'
import { operations } from '../../support/documented.ts'
import { randomBytes } from '../../../tools/support/random.ts'

const app = createApp({ now: () => 0, random: randomBytes })
// Middleware is registered for all methods. MCP describes itself (tools/list).
const routes = app.routes.filter(({ method, path }) => method !== 'ALL' && path !== '/api/mcp')

/** That what is documented exists is held by the answers of each, seen live. */
it('documents every route of the app, every current read and every compatibility address about now', () => {
  const documented = operations.map(({ method, path }) => `${method} ${path}`)
  const named = routes.map(
    ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)(\{[^/]*\})?/g, '{$1}')}`,
  )
  expect(named.length).toBeGreaterThan(12)
  expect(named.filter((route) => !documented.includes(route))).toEqual([])

  const patterns = operations
    .filter(({ method, path }) => method === 'GET' && !path.startsWith('/api/v2/webhooks'))
    .map(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[a-z]+')}$`))
  const paths = [...CURRENT_PATHS, ...COMPATIBILITY_CURRENT_PATHS]
  expect(paths.length).toBeGreaterThan(1 + 2 * (6 + 19))
  expect(paths.filter((path) => !patterns.some((pattern) => pattern.test(path)))).toEqual([])
})
