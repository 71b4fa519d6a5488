import { expect, it } from 'vitest'
import { CURRENT_READS } from '../../../workers/edge/routes/current.ts'
import { createApp } from '../../../workers/edge/app.ts'
import { operations } from '../../support/openapi.ts'
import { randomBytes } from '../../../tools/support/random.ts'

const site = async () => new Response()
const app = createApp({ now: () => 0, random: randomBytes, site })
// Middleware is registered for all methods. MCP documents itself (tools/list).
const routes = app.routes.filter(({ method, path }) => method !== 'ALL' && path !== '/api/mcp')
/** Current reads have a route for each pair; the documents have their patterns. */
const current: readonly string[] = [...CURRENT_READS.keys()]

/** The tests of live answers check that every documented operation exists. */
it('documents every route of the app and every current read', () => {
  const documented = operations.map(({ method, path }) => `${method} ${path}`)
  const named = routes
    .filter(({ path }) => !current.includes(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)(\{[^/]*\})?/g, '{$1}')}`)
  expect(named.length).toBeGreaterThan(12)
  expect(named.filter((route) => !documented.includes(route))).toEqual([])

  const patterns = operations
    .filter(({ method, path }) => method === 'GET' && !path.startsWith('/api/v2/webhooks'))
    .map(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[a-z]+')}$`))
  expect(current).toHaveLength(1 + 2 * (6 + 19))
  expect(current.filter((path) => !patterns.some((pattern) => pattern.test(path)))).toEqual([])
})
