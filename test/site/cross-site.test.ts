import { describe, expect, it } from 'vitest'
import { generateKey } from '../../shared/access/api-key.ts'
import { onlyAccount } from '../support/accounts.ts'
import { randomBytes as random } from '../../tools/support/random.ts'
import { insertRow, readRows } from '../support/rows.ts'
import { openSite, ORIGIN } from '../support/site.ts'
import { FIELDS_OF } from './subscription-pages.ts'
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

/** Everything that a session can change, by form and as JSON. */
const MUTATIONS: [name: string, fields?: Record<string, string>][] = [
  ['POST /cuenta/claves', { nombre: 'otra' }],
  ['POST /cuenta/claves/k/rotar', { prefijo: PREFIX }],
  ['POST /cuenta/claves/k/revocar', {}],
  ['POST /cuenta/borrar', { correo: 'ana@ejemplo.com.ar' }],
  ['POST /cuenta/salir', {}],
  ['POST /cuenta/webhooks', { ...FIELDS_OF.webhook, operacion: crypto.randomUUID() }],
  ['POST /api/account/keys', { name: 'otra' }],
  ['POST /api/account/keys/k/rotate', { prefix: PREFIX }],
  ['DELETE /api/account/keys/k'],
  ['DELETE /api/account', { email: 'ana@ejemplo.com.ar' }],
]
const isForm = (name: string) => name.includes('/cuenta')

type Headers = Record<string, string>
type Arranged = Awaited<ReturnType<typeof arrange>>

function send(
  [name, fields]: (typeof MUTATIONS)[number],
  { site, token: own }: Arranged,
  headers: Headers,
  token = own,
): Promise<Response> {
  const [method = '', path = ''] = name.split(' ')
  if (isForm(name))
    return site.fetch(path, { method, headers, body: new URLSearchParams({ ...fields, token }) })
  const type = { 'Content-Type': 'application/json' }
  const json = fields && { headers: { ...type, ...headers }, body: JSON.stringify(fields) }
  return site.fetch(path, { method, headers, ...json })
}

/** All data that a mutation could have changed. */
function state() {
  const tables = ['accounts', 'apiKeys', 'sessions', 'subscriptions'] as const
  return Promise.all(tables.map((table) => readRows(table)))
}

const FOREIGN: Headers[] = [
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

describe.each(MUTATIONS)('%s', (...mutation) => {
  it.each([
    ['our own page', { Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' }],
    ['a program that names no origin but holds all the rest', {}],
  ])('happens from %s', async (_, headers: Headers) => {
    const arranged = await arrange()
    const before = await state()
    const response = await send(mutation, arranged, { Cookie: arranged.cookie, ...headers })
    expect(response.status).toBeLessThan(400)
    expect(await state()).not.toEqual(before)
  })

  it('does not happen from another site, nor without a session, even with an API key', async () => {
    const arranged = await arrange()
    const before = await state()
    const { cookie } = arranged
    for (const headers of FOREIGN) {
      const response = await send(mutation, arranged, { Cookie: cookie, ...headers })
      expect(response.status, JSON.stringify(headers)).toBe(403)
      expect(response.headers.get('Cache-Control')).toBe('no-store')
    }
    for (const credentials of [{}, { Authorization: `Bearer ${KEY}` }, { 'x-api-key': KEY }]) {
      const response = await send(mutation, arranged, { Origin: ORIGIN, ...credentials } as Headers)
      const isPage = isForm(mutation[0])
      expect(response.status).toBe(isPage ? 303 : 401)
      expect(response.headers.get('Location')).toBe(isPage ? '/cuenta/entrar' : null)
    }
    expect(await state()).toEqual(before)
  })
})

it.each(MUTATIONS.filter(([name]) => isForm(name)))(
  '%s needs the token of this very session',
  async (...mutation) => {
    const arranged = await arrange()
    const { site, cookie } = arranged
    const other = await site.formToken(await site.signIn('otra@ejemplo.com'))
    const before = await state()
    for (const token of ['', 'x', other])
      for (const headers of [{}, { Origin: ORIGIN }] as Headers[])
        expect((await send(mutation, arranged, { Cookie: cookie, ...headers }, token)).status).toBe(
          403,
        )
    expect(await state()).toEqual(before)
  },
)

it('sign-in forms refuse other sites', async () => {
  const site = openSite()
  await site.post('/cuenta/entrar', { email: 'ana@ejemplo.com.ar' })
  const body = () => new URLSearchParams({ email: 'ana@ejemplo.com.ar', enlace: site.lastToken() })
  for (const headers of FOREIGN)
    for (const path of ['/cuenta/entrar', '/cuenta/enlace'])
      expect((await site.fetch(path, { method: 'POST', headers, body: body() })).status).toBe(403)
  expect(site.mails).toHaveLength(1)
})

it('JSON routes refuse a body that a form of another site could send', async () => {
  const { site, cookie } = await arrange()
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
    const headers = { Cookie: cookie, 'Content-Type': type }
    const init = { method: 'POST', headers, body: '{"name":"x"}' }
    expect((await site.fetch('/api/account/keys', init)).status).toBe(415)
  }
})

it('another account’s keys are 404, as unknown ones are', async () => {
  const { site } = await arrange()
  const Cookie = await site.signIn('otra@ejemplo.com')
  const stranger = { site, token: await site.formToken(Cookie) } as Arranged
  const before = await readRows('apiKeys')
  for (const mutation of MUTATIONS.filter(([name]) => /\/k\b/.test(name)))
    expect((await send(mutation, stranger, { Cookie, Origin: ORIGIN })).status).toBe(404)
  expect(await readRows('apiKeys')).toEqual(before)
})
