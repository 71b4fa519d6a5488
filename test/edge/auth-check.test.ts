import { expect, it } from 'vitest'
import { seedAccount } from '../support/accounts.ts'
import { openEdge } from '../support/edge.ts'
import { art } from '../support/instant.ts'

const CHECK = '/api/v2/auth/check'
/** 12:00:15 in Argentina: 45 seconds to the next minute. */
const NOW = art('2026-03-02 12:00:15')

it.each([
  ['Authorization', (key: string) => ({ Authorization: `Bearer ${key}` })],
  ['Authorization in lower case', (key: string) => ({ authorization: `bearer   ${key}` })],
  ['Authorization in upper case', (key: string) => ({ AUTHORIZATION: `BEARER ${key}` })],
  ['x-api-key', (key: string) => ({ 'x-api-key': key })],
  ['both', (key: string) => ({ 'X-API-Key': key, Authorization: `Bearer ${key}` })],
])(
  'a key in %s is valid; nothing else is said, and another method is not counted',
  async (_, of) => {
    const { key } = await seedAccount()
    const edge = openEdge({ now: NOW })
    const headers = of(key)
    expect((await edge.fetch(CHECK, { method: 'POST', headers })).status).toBe(405)
    const response = await edge.fetch(CHECK, { headers })

    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ valid: true })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'ratelimit-limit': '30',
      'ratelimit-remaining': '29',
      'ratelimit-reset': '45',
      'access-control-allow-origin': '*',
    })
    expect(response.headers.has('Access-Control-Allow-Credentials')).toBe(false)
    expect(response.headers.has('Set-Cookie')).toBe(false)
    const head = await edge.fetch(CHECK, { method: 'HEAD', headers })
    expect([head.status, await head.text()]).toEqual([200, ''])
  },
)
