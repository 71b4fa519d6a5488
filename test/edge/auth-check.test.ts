import { describe, expect, it } from 'vitest'
import { seedAccount } from '../support/accounts.ts'
import { openEdge } from '../support/edge.ts'
import { art } from '../support/instant.ts'

const CHECK = '/api/v2/auth/check'
/** 12:00:15 in Argentina: 45 seconds to the next minute, 8 h 59 min 45 s to the next UTC day. */
const NOW = art('2026-03-02 12:00:15')

describe('GET /api/v2/auth/check', () => {
  it.each([
    ['Authorization', (key: string) => ({ Authorization: `Bearer ${key}` })],
    ['Authorization in lower case', (key: string) => ({ authorization: `bearer ${key}` })],
    ['Authorization in upper case', (key: string) => ({ AUTHORIZATION: `BEARER ${key}` })],
    ['x-api-key', (key: string) => ({ 'x-api-key': key })],
    ['both', (key: string) => ({ 'X-API-Key': key, Authorization: `Bearer ${key}` })],
  ])('says that a key in %s is valid, and nothing else', async (_, headers) => {
    const { key } = await seedAccount()
    const response = await openEdge({ now: NOW }).fetch(CHECK, { headers: headers(key) })

    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ valid: true })
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('RateLimit-Limit')).toBe('30')
    expect(response.headers.get('RateLimit-Remaining')).toBe('29')
    expect(response.headers.get('RateLimit-Reset')).toBe('45')
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(response.headers.has('Access-Control-Allow-Credentials')).toBe(false)
    expect(response.headers.has('Set-Cookie')).toBe(false)
  })

  it('answers HEAD like GET, without a body', async () => {
    const { key } = await seedAccount()
    const headers = { 'x-api-key': key }
    const response = await openEdge({ now: NOW }).fetch(CHECK, { method: 'HEAD', headers })

    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  })

  it('answers 405 to other methods without counting them', async () => {
    const { key } = await seedAccount()
    const edge = openEdge({ now: NOW })
    const headers = { 'x-api-key': key }
    const refused = await edge.fetch(CHECK, { method: 'POST', headers })

    expect(refused.status).toBe(405)
    expect(refused.headers.get('Allow')).toContain('GET')
    const next = await edge.fetch(CHECK, { headers })
    expect(next.headers.get('RateLimit-Remaining')).toBe('29')
  })
})
