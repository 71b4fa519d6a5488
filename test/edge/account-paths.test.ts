import { beforeAll, expect, it } from 'vitest'
import { art } from '../support/instant.ts'
import { openEdge } from '../support/edge.ts'
import { openSite } from '../support/site.ts'

beforeAll(() => openSite().fetch('/cuenta/entrar'), 60_000)

it.each([
  '/cuenta',
  '/cuenta/entrar',
  '/api/account',
  '/api/account/keys',
  '/api/account/keys/x/rotate',
  '/api/auth/callback/github',
])('the edge hands %s to the site', async (path) => {
  const edge = openEdge({ now: art('2026-03-02 12:00') })
  for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS'])
    expect(await (await edge.fetch(path, { method })).text()).toBe('site')
})

it.each(['/api/accounts', '/api/accountx', '/api/authx', '/api/arg', '/api/v2/auth/check'])(
  'the edge keeps %s',
  async (path) => {
    const edge = openEdge({ now: art('2026-03-02 12:00') })
    expect(await (await edge.fetch(path)).text()).not.toBe('site')
  },
)

it.each(['/api/v2/auth/check', '/api/v2/usd/blue/history', '/api/v2/history/usd/blue'])(
  'a session does not open %s',
  async (path) => {
    const cookie = await openSite().signIn()
    const edge = openEdge({ now: Date.now() })
    const response = await edge.fetch(path, { headers: { Cookie: cookie } })
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({ error: 'No autorizado' })
  },
)
