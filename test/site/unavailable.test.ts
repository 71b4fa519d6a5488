import { beforeAll, expect, it } from 'vitest'
import { env } from '../support/env.ts'
import { failing } from '../support/failing-database.ts'
import { openSite, ORIGIN } from '../support/site.ts'

beforeAll(() => openSite().fetch('/cuenta/entrar'), 60_000)

it.each<[method: string, path: string, fields?: Record<string, string>]>([
  ['GET', '/cuenta'],
  ['GET', '/cuenta/entrar'],
  ['POST', '/cuenta/entrar', { email: 'ana@ejemplo.com' }],
  ['GET', '/cuenta/enlace?token=x'],
  ['POST', '/cuenta/enlace', { enlace: 'x' }],
  ['POST', '/cuenta/claves', { nombre: 'x' }],
  ['POST', '/cuenta/salir', {}],
  ['GET', '/api/account'],
])('%s %s is 503 with Retry-After when the database fails', async (method, path, fields) => {
  const cookie = await openSite().signIn()
  const site = openSite({ env: { DB: failing('D1_ERROR: overloaded secret-sql') } })
  const response = await site.fetch(path, {
    method,
    headers: { Cookie: cookie, Origin: ORIGIN },
    ...(fields && { body: new URLSearchParams(fields) }),
  })

  expect(response.status).toBe(503)
  expect(Number(response.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(response.headers.has('Location')).toBe(false)
  expect(await response.text()).not.toContain('secret-sql')
})

it('a return from GitHub is 503 too', async () => {
  const configured = { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' }
  const site = openSite({ env: { ...configured, DB: failing('D1_ERROR: down') } })
  const response = await site.fetch('/api/auth/callback/github?code=x&state=y')
  expect(response.status).toBe(503)
  expect(response.headers.has('Location')).toBe(false)
})

it('pages that need no database go on', async () => {
  const site = openSite({ env: { DB: failing('D1_ERROR: down'), BOARD: env.BOARD } })
  expect((await site.fetch('/docs/referencia')).status).toBe(200)
  expect((await site.fetch('/cuenta/entrar')).status).toBe(200)
})
