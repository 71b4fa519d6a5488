import { expect, it } from 'vitest'
import { art } from '../support/instant.ts'
import { openEdge } from '../support/edge.ts'
import { openSite } from '../support/site.ts'

it.each([
  ['/cuenta/entrar', true],
  ['/api/account', true],
  ['/api/account/keys/x/rotate', true],
  ['/api/auth/callback/github', true],
  ['/api/accounts', false],
  ['/api/authx', false],
  ['/api/arg', false],
  ['/api/v2/auth/check', false],
])('%s belongs to the site: %s', async (path, isOfSite) => {
  const edge = openEdge({ now: art('2026-03-02 12:00') })
  for (const method of ['GET', 'POST', 'DELETE'])
    expect((await (await edge.fetch(path, { method })).text()) === 'site').toBe(isOfSite)
})

it('a session opens nothing behind the gate', async () => {
  const headers = { Cookie: await openSite().signIn() }
  const edge = openEdge({ now: Date.now() })
  for (const path of ['/api/v2/auth/check', '/api/v2/usd/blue/history', '/api/v2/webhooks'])
    expect((await edge.fetch(path, { headers })).status).toBe(401)
}, 60_000)
