/** Requests that another site makes a browser send. */
import { expect, it } from 'vitest'
import { generateKey } from '../../shared/access/api-key.ts'
import { createApp } from '../../workers/site/app.ts'
import { onlyAccount } from '../support/accounts.ts'
import { randomBytes as random } from '../../tools/support/random.ts'
import { insertRow, readRows } from '../support/rows.ts'
import { openSite, ORIGIN } from '../support/site.ts'
import { OPEN } from '../support/account-client.ts'

const { key: KEY, prefix: PREFIX, hash } = await generateKey(random)

/** A signed-in browser, and an account with one key. */
async function arrange() {
  const site = openSite({ env: OPEN })
  const cookie = await site.signIn()
  const key = { id: 'k', name: 'una', prefix: PREFIX, hash, inherited: false, createdAt: 0 }
  await insertRow('apiKeys', { ...key, accountId: await onlyAccount() })
  return { site, cookie, token: await site.formToken(cookie) }
}

const app = createApp({ now: () => 0, random, sendMail: async () => 'mailbox' })

/** Everything that changes an account or a session, by form and as JSON, once. */
const MUTATIONS = [...new Set(app.routes.map(({ method, path }) => `${method} ${path}`))]
  .filter((route) => /^(POST|DELETE) \/(cuenta|api\/account)/.test(route))
  .map((route) => route.replaceAll(/:\w+/g, 'k').split(' ') as [method: string, path: string])
const isSignIn = (path: string) => /^\/cuenta\/(entrar|enlace)/.test(path)

/** All data that a mutation could change. */
function state() {
  const tables = ['accounts', 'apiKeys', 'sessions', 'subscriptions', 'verifications'] as const
  return Promise.all(tables.map((table) => readRows(table)))
}

const FOREIGN: Record<string, string>[] = [
  { Origin: 'https://malo.example' },
  { Origin: 'null' },
  { Origin: `${ORIGIN}.malo.example` },
  { Origin: ORIGIN.replace('https', 'http') },
  { Origin: `${ORIGIN}:8443` },
  { Origin: '' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
  { Origin: ORIGIN, 'Sec-Fetch-Site': 'cross-site' },
]

it('every form and every JSON route that changes something refuses other sites', async () => {
  const { site, cookie: Cookie, token } = await arrange()
  const before = await state()
  expect(MUTATIONS.length).toBeGreaterThan(20)
  for (const [method, path] of MUTATIONS)
    for (const headers of FOREIGN) {
      const body = new URLSearchParams({ token, email: 'ana@ejemplo.com.ar' })
      const response = await site.fetch(path, { method, headers: { Cookie, ...headers }, body })
      expect(response.status, `${path} ${JSON.stringify(headers)}`).toBe(403)
      expect(response.headers.get('Cache-Control')).toBe('no-store')
    }
  expect(await state()).toEqual(before)
})

it('every form and every JSON route that changes something needs a session, for which an API key is no substitute, and a form the token of this session', async () => {
  const { site, cookie: Cookie } = await arrange()
  const other = await site.formToken(await site.signIn('otra@ejemplo.com'))
  const before = await state()
  for (const [method, path] of MUTATIONS.filter(([, path]) => !isSignIn(path))) {
    const isPage = path.startsWith('/cuenta')
    for (const headers of [{}, { Authorization: `Bearer ${KEY}` }, { 'x-api-key': KEY }]) {
      const response = await site.fetch(path, { method, headers: { ...headers, Origin: ORIGIN } })
      expect(response.status, path).toBe(isPage ? 303 : 401)
      expect(response.headers.get('Location')).toBe(isPage ? '/cuenta/entrar' : null)
    }
    for (const token of isPage ? ['', 'x', other] : []) {
      const init = { method, headers: { Cookie }, body: new URLSearchParams({ token }) }
      expect((await site.fetch(path, init)).status, path).toBe(403)
    }
  }
  expect(await state()).toEqual(before)
})

it.each([{ Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' }, {}])(
  'a form and a JSON route accept our own page, and a program that names no origin: %j',
  async (headers) => {
    const { site, cookie: Cookie, token } = await arrange()
    const body = new URLSearchParams({ token, nombre: 'por formulario' })
    const init = { method: 'POST', headers: { Cookie, ...headers } }
    expect((await site.fetch('/cuenta/claves', { ...init, body })).status).toBe(200)
    const type = { 'Content-Type': 'application/json' }
    const json = { ...init, headers: { ...init.headers, ...type }, body: '{"name":"por JSON"}' }
    expect((await site.fetch('/api/account/keys', json)).status).toBe(201)
  },
)

it('another account’s keys are 404, as unknown ones are', async () => {
  const { site } = await arrange()
  const cookie = await site.signIn('otra@ejemplo.com')
  const before = await readRows('apiKeys')
  const rotation = { prefix: PREFIX }
  for (const response of [
    await site.json(cookie, 'POST', '/api/account/keys/k/rotate', rotation),
    await site.json(cookie, 'DELETE', '/api/account/keys/k'),
  ])
    expect(response.status).toBe(404)
  expect(await readRows('apiKeys')).toEqual(before)
})
