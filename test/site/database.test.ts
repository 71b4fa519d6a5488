/** How much each route may use the database, and its answer when the database fails. */
import { expect, it } from 'vitest'
import { DAY_MS, formatArgentine } from '../../shared/argentine-time.ts'
import { aroundDatabase } from '../../shared/db/around.ts'
import { createApp } from '../../workers/site/app.ts'
import { env } from '../support/env.ts'
import { failing } from '../support/faulty-database.ts'
import { randomBytes as random } from '../../tools/support/random.ts'
import { aBoardQuote, seedBoard } from '../support/board.ts'
import { openSite, ORIGIN } from '../support/site.ts'

/** Requests of one address at one instant, each for another page. */
const TIMES = 60

/** The most requests that reach the database, and the most calls of each. */
const LIMITS: Record<string, { requests: number; calls: number }> = {
  // Invalid links and callbacks: UNKNOWN_KEY_LIMIT per minute.
  'GET /cuenta/enlace': { requests: 30, calls: 1 },
  'POST /cuenta/enlace': { requests: 30, calls: 3 },
  'GET /api/auth/callback/github': { requests: 30, calls: 3 },
  // Ten mails per hour and twenty GitHub sign-ins per ten minutes; thirty refused ones per minute.
  'POST /cuenta/entrar': { requests: 40, calls: 4 },
  'POST /cuenta/entrar/github': { requests: 50, calls: 4 },
  // DATE_READ_LIMIT in ten seconds.
  'GET /:currency/:origin/:day{\\d{4}-\\d{2}-\\d{2}}': { requests: 20, calls: 1 },
  'GET /facturacion': { requests: 20, calls: 1 },
  // Kept for all clients.
  'GET /estado': { requests: 1, calls: 2 },
}

const app = createApp({ now: () => Date.now(), random, sendMail: async () => 'mailbox' })
const ROUTES = new Set(
  app.routes.flatMap(({ method, path }) => (method === 'ALL' ? [] : `${method} ${path}`)),
)

const SAMPLES: Record<string, string> = {
  currency: 'usd',
  origin: 'blue',
  year: '2026',
}

function requestOf(route: string, index: number): [path: string, init: RequestInit] {
  const [method = '', path = ''] = route.split(' ')
  const day = formatArgentine(Date.now() - (index + 2) * DAY_MS).slice(0, 10)
  const filled = path
    .replace(/^\/badge.*/, '$&.svg')
    .replaceAll(/:(\w+)(\{[^/]*\})?\??/g, (_, name: string) =>
      name === 'day' ? day : (SAMPLES[name] ?? `${index}`),
    )
  const fields = new URLSearchParams({ email: `p${index}@ejemplo.com`, enlace: `x${index}` })
  return [
    `${filled}?token=x${index}&state=x${index}&code=x&fecha=${day}`,
    { method, headers: { Origin: ORIGIN }, ...(method === 'POST' && { body: fields }) },
  ]
}

async function callsOf(route: string, client: string): Promise<number> {
  let calls = 0
  const DB = aroundDatabase(env.DB, (call) => {
    calls += 1
    return call()
  })
  const site = openSite({ env: { DB } })
  for (let index = 0; index < TIMES; index++) {
    const [path, init] = requestOf(route, index)
    const headers = new Headers(init.headers)
    headers.set('CF-Connecting-IP', client)
    headers.set('Cookie', '__Host-session=forged.c2lnbmF0dXJl')
    await (await site.fetch(path, { ...init, headers })).body?.cancel()
    if (index > 3 && calls === 0) break
  }
  return calls
}

it('every route without a session reaches the database a bounded number of times', async () => {
  await seedBoard(Date.now(), { quotes: [aBoardQuote('USD/BLUE')] })
  const reached: string[] = []
  for (const [index, route] of [...ROUTES].entries()) {
    const calls = await callsOf(route, `192.0.2.${index}`)
    if (calls === 0) continue
    reached.push(route)
    const { requests, calls: each } = LIMITS[route] ?? { requests: 0, calls: 0 }
    expect(calls, route).toBeLessThanOrEqual(requests * each)
  }
  expect(reached.toSorted()).toEqual(Object.keys(LIMITS).toSorted())
})

const NEEDS_IT = / \/($|cuenta|api\/a|facturacion|brecha|badge|embed|:currency\/:origin($|\/:day))/

it('routes that need a failing database answer 503 without a redirect, and documents still work', async () => {
  const Cookie = await openSite().signIn()
  const env = { DB: failing('D1_ERROR: overloaded secret-sql') }
  for (const route of ROUTES) {
    const [path, init] = requestOf(route, 0)
    const headers = { ...Object.fromEntries(new Headers(init.headers)), Cookie }
    const response = await openSite({ env }).fetch(path, { ...init, headers })
    expect(response.status, route).not.toBe(500)
    expect(await response.text(), route).not.toContain('secret-sql')
    if (NEEDS_IT.test(route)) {
      expect(response.status, route).toBe(503)
      expect(response.headers.get('Retry-After'), route).toMatch(/^[13]0$/)
      expect(response.headers.get('Cache-Control'), route).toBe('no-store')
      expect(response.headers.has('Location'), route).toBe(false)
    }
    if (/ \/(docs|openapi|llms|mudarse)/.test(route)) expect(response.status, route).toBe(200)
  }
  expect((await openSite({ env }).fetch('/cuenta/entrar')).status).toBe(200)
})
