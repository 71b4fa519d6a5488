import { expect, it } from 'vitest'
import { CURRENT_PATHS, findCurrentRead } from '../../../workers/edge/current/current-read.ts'
import { COMPATIBILITY_CURRENT_PATHS } from '../../../workers/edge/compatibility/current.ts'
import { createApp } from '../../../workers/edge/app.ts'
import { operations, pathOf } from '../../support/documented.ts'
import { randomBytes } from '../../../tools/support/random.ts'

const app = createApp({ now: () => 0, random: randomBytes })

/** Handlers of the app: `GET /api/v2/date/{date}`. Middleware is registered for all methods. */
const appRoutes = new Set(app.routes.filter(({ method }) => method !== 'ALL').map(nameOf))
const documented = operations.map(({ method, path }) => `${method} ${path}`)

function nameOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.replaceAll(/:(\w+)(\{[^/]*\})?/g, '{$1}')}`
}

it('documents every route of the app', () => {
  expect(appRoutes.size).toBeGreaterThan(12)
  expect([...appRoutes].filter((route) => !documented.includes(route))).toEqual([])
})

it('documents every current read', () => {
  const patterns = operations
    .filter(({ method, path }) => method === 'GET' && !path.startsWith('/api/v2/webhooks'))
    .map(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[a-z]+')}$`))
  const paths = [...CURRENT_PATHS]

  expect(paths.length).toBe(1 + 2 * (6 + 19))
  expect(paths.filter((path) => !patterns.some((pattern) => pattern.test(path)))).toEqual([])
})

it('documents every compatibility address about now', () => {
  const patterns = operations.map(
    ({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[a-z]+')}$`),
  )
  const unknown = COMPATIBILITY_CURRENT_PATHS.filter(
    (path) => !patterns.some((one) => one.test(path)),
  )
  expect(unknown).toEqual([])
})

it('documents nothing that does not exist', () => {
  const invented = operations.filter((operation) => {
    const { method, path } = operation
    if (appRoutes.has(`${method} ${path}`)) return false
    const asked = pathOf(operation, { id: 'x' })
    return (
      method !== 'GET' || !(findCurrentRead(asked) || COMPATIBILITY_CURRENT_PATHS.includes(asked))
    )
  })
  expect(invented).toEqual([])
})
