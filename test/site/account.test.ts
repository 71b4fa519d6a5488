import { html } from 'hono/html'
import { expect, it } from 'vitest'
import { hashKey } from '../../shared/access/api-key.ts'
import { insertAccount, onlyAccount, seedInheritedKey } from '../support/accounts.ts'
import { readRows } from '../support/rows.ts'
import { openSite } from '../support/site.ts'
import { tally, times } from '../support/account-client.ts'

const KEY = /cot_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}/

interface Issued {
  key: { id: string; name: string; prefix: string }
  secret: string
}

/** A signed-in browser, with pages and JSON. */
async function signIn(email?: string) {
  const site = openSite()
  const cookie = await site.signIn(email)
  const token = await site.formToken(cookie)
  return {
    site,
    json: (method: string, path = '', body?: unknown) =>
      site.json(cookie, method, `/api/account${path}`, body),
    get: async (path = '') =>
      (await site.fetch(`/cuenta${path}`, { headers: { Cookie: cookie } })).text(),
    post: (path: string, fields: Record<string, string>) =>
      site.post(`/cuenta${path}`, { token, ...fields }, { Cookie: cookie }),
  }
}

const stored = async () => (await readRows('apiKeys')).map(({ hash }) => hash)

it('keys as JSON are made, listed without secret, rotated and revoked', async () => {
  const { site, json } = await signIn()
  const { key, secret } = await (await json('POST', '/keys', { name: 'una' })).json<Issued>()
  expect(secret.startsWith(`${key.prefix}_`)).toBe(true)
  const createdAt = new Date(site.clock.now).toISOString()
  const { id, prefix } = key
  expect(key).toEqual({ id, name: 'una', prefix, inherited: false, createdAt, lastUsedDay: null })

  const listed = await json('GET', '/keys')
  expect(listed.headers.get('Cache-Control')).toBe('no-store')
  expect(await listed.json()).toEqual({ keys: [key], limit: 5 })

  const rotated = await json('POST', `/keys/${id}/rotate`, { prefix })
  const after = await rotated.json<Issued>()
  expect(after.key).toEqual({ ...key, prefix: after.key.prefix })
  expect(await stored()).toEqual([await hashKey(after.secret)])
  expect((await json('POST', `/keys/${id}/rotate`, { prefix })).status).toBe(409)

  expect(await (await json('DELETE', `/keys/${id}`)).json()).toEqual({ deleted: true })
  expect(await stored()).toEqual([])
  expect((await json('DELETE', `/keys/${id}`)).status).toBe(404)
})

it('keys as JSON stop at five, even when twenty are asked for at once', async () => {
  const { json } = await signIn()
  const answers = await times(20, (i) => json('POST', '/keys', { name: `clave ${i}` }))
  expect(tally(answers)).toEqual({ 201: 5, 409: 15 })
  const refused = answers.find(({ status }) => status === 409)!
  expect((await refused.json<{ error: string }>()).error).toContain('5 claves')
  expect(await stored()).toHaveLength(5)
})

it('inherited keys above the limit keep working, and no key is made until fewer than five remain', async () => {
  const { json, get } = await signIn()
  const accountId = await onlyAccount()
  for (let i = 0; i < 7; i++)
    await seedInheritedKey(accountId, { hash: `hash-${i}`, name: `heredada ${i}` })
  const page = await get()
  expect(page.match(/Heredada de v1/g)).toHaveLength(7)
  expect(page).toContain('Tenés 7 claves, y todas siguen sirviendo')

  const create = () => json('POST', '/keys', { name: 'otra' })
  for (const id of ['hash-0', 'hash-1', 'hash-2']) {
    expect((await create()).status).toBe(409)
    expect((await json('DELETE', `/keys/${id}`)).status).toBe(200)
  }
  expect((await create()).status).toBe(201)
})

it.each([
  ['not JSON', '{', 400],
  ['an unknown field', '{"name":"x","admin":true}', 400],
  ['an invalid name', '{"name":"a\\nb"}', 400],
  ['a type that a form of another site can send', '{"name":"x"}', 415, 'text/plain'],
  ['no type', '{"name":"x"}', 415, ''],
])('keys as JSON are not made from %s', async (_, body, status, type = 'application/json') => {
  const site = openSite()
  const headers = { Cookie: await site.signIn(), 'Content-Type': type }
  const response = await site.fetch('/api/account/keys', { method: 'POST', headers, body })
  expect(response.status).toBe(status)
  expect(Object.keys(await response.json<object>())).toEqual(['error'])
  expect(await stored()).toEqual([])
})

it.each([
  ['ends before it should', 400, (stream: Stream) => stream.error(new Error('gone'))],
  ['has 17 KiB and no length', 413, (stream: Stream) => stream.enqueue(FILLER)],
])('a body that %s is refused, in pages and JSON', async (_, status, pull) => {
  const site = openSite()
  const headers = { Cookie: await site.signIn(), 'Content-Type': 'application/json' }
  for (const path of ['/api/account/keys', '/cuenta/claves']) {
    const body = new ReadableStream({ pull })
    expect((await site.fetch(path, { method: 'POST', headers, body })).status, path).toBe(status)
  }
})

type Stream = ReadableStreamDefaultController<Uint8Array>
const FILLER = new Uint8Array(17_000).fill(32)

it('the pages of keys show a secret once, never to be stored, and rotate it by its prefix', async () => {
  const { get, post } = await signIn()
  const created = await post('/claves', { nombre: 'una' })
  expect(created.headers.get('Cache-Control')).toBe('no-store')
  const page = await created.text()
  const [secret] = KEY.exec(page)!
  expect(page).toContain(
    `curl -H &#39;Authorization: Bearer ${secret}&#39; https://cotizaciones.test/api/v2/auth/check`,
  )
  const prefijo = secret.slice(0, 12)
  const list = await get()
  expect(list).not.toContain(secret)
  expect(list).toContain(prefijo)

  const path = /\/claves\/[\w-]+\/rotar/.exec(list)![0]
  const [other] = KEY.exec(await (await post(path, { prefijo })).text())!
  const again = await post(path, { prefijo })
  expect(await again.text()).toContain('La clave cambió mientras tanto')
  expect(await stored()).toEqual([await hashKey(other)])
})

it('the pages of keys show what was typed as text, kept or refused', async () => {
  const text = '"><img src=x><script>alert(1)</script> &lt;b&gt; ‘ñandú’ 🐎'
  const { site, get, post, json } = await signIn()
  const created = await post('/claves', { nombre: `  ${text} ` })
  const { keys } = await (await json('GET', '/keys')).json<{ keys: Issued['key'][] }>()
  expect(keys.map(({ name }) => name)).toEqual([text])
  for (const page of [await created.text(), await get()])
    expect(page).toContain(String(html`${text}`))

  const refused = await post('/claves', { nombre: text.repeat(2) })
  expect(refused.status).toBe(400)
  const notice = await site.fetch(`/cuenta/entrar?aviso=${encodeURIComponent(text)}`)
  for (const answer of [refused, notice])
    expect(await answer.text()).not.toMatch(/<script>alert|<img/)
  expect((await site.fetch('/cuenta/entrar?aviso=constructor')).status).toBe(200)
})

it('deleting an account needs its e-mail, deletes keys and sessions, and allows a new account', async () => {
  const ana = await signIn()
  const elsewhere = await signIn()
  const bystander = await signIn('otra@ejemplo.com')
  await ana.json('POST', '/keys', { name: 'una' })
  for (const correo of ['', 'otra@ejemplo.com', 'ana@ejemplo.com'])
    expect((await ana.post('/borrar', { correo })).status).toBe(400)
  expect(await stored()).toHaveLength(1)

  const gone = await ana.post('/borrar', { correo: ' ANA@ejemplo.com.ar ' })
  expect(gone.headers.get('Location')).toBe('/cuenta/entrar?aviso=cuenta-borrada')
  expect(gone.headers.getSetCookie().join()).toMatch(/__Host-session=;/)
  expect(await stored()).toEqual([])
  for (const old of [ana, elsewhere]) expect((await old.json('GET')).status).toBe(401)
  expect((await bystander.json('GET')).status).toBe(200)
  const { keys } = await (await (await signIn()).json('GET', '/keys')).json<{ keys: object[] }>()
  expect(keys).toEqual([])
})

it('the first sign-in with an e-mail opens the imported account of that e-mail, keys included', async () => {
  await insertAccount('uno', 'ana@ejemplo.com.ar', { emailVerified: false })
  await seedInheritedKey('uno', { hash: 'k' })
  const { json } = await signIn()
  expect(await (await json('GET', '/keys')).json()).toMatchObject({ keys: [{ id: 'k' }] })
})

it.each('/ /usd/blue /badge/usd/blue.svg /no-existe /cuenta /cuenta/entrar'.split(' '))(
  'every answer of %s carries the security headers',
  async (path) => {
    const { headers } = await openSite().fetch(path)
    const policy = headers.get('Content-Security-Policy')!
    for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'"])
      expect(policy).toContain(part)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('Strict-Transport-Security')).toMatch(/max-age=\d{8}/)
    expect(headers.get('Referrer-Policy')).toBe('same-origin')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('X-Frame-Options')).toBe('DENY')
    if (!path.startsWith('/cuenta')) return
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
    expect(headers.get('Cache-Control')).toBe('no-store')
  },
)

it('every answer of /api/account allows any origin without credentials, and names the allowed methods', async () => {
  const { site, json } = await signIn()
  const answers = [
    await json('GET'),
    await site.fetch('/api/account'),
    await site.fetch('/api/account/keys', { method: 'OPTIONS' }),
    await json('PATCH'),
  ]
  for (const { headers } of answers) {
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(headers.get('Access-Control-Allow-Credentials')).toBeNull()
  }
  const { status, headers } = answers[3]!
  expect([status, headers.get('Allow')]).toEqual([405, 'GET, HEAD, DELETE, OPTIONS'])
})
