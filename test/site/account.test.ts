import { beforeAll, describe, expect, it } from 'vitest'
import { hashKey } from '../../shared/access/api-key.ts'
import { openSite } from '../support/site.ts'
import { insertAccount, onlyAccount, seedInheritedKey } from '../support/accounts.ts'
import { readRows } from '../support/rows.ts'

beforeAll(() => openSite().fetch('/cuenta/entrar'), 60_000)

interface Issued {
  key: {
    id: string
    name: string
    prefix: string
    createdAt: string
    lastUsedDay: null
    inherited: boolean
  }
  secret: string
}

async function issue(site: ReturnType<typeof openSite>, cookie: string, name = 'una') {
  const response = await site.json(cookie, 'POST', '/api/account/keys', { name })
  expect(response.status).toBe(201)
  return response.json<Issued>()
}

const stored = async () => (await readRows('apiKeys')).map(({ hash }) => hash)

describe('keys as JSON', () => {
  it('are made, listed without secret, rotated and revoked', async () => {
    const site = openSite()
    const cookie = await site.signIn()
    const { key, secret } = await issue(site, cookie)
    expect(secret.startsWith(`${key.prefix}_`)).toBe(true)
    expect(key).toEqual({
      id: key.id,
      name: 'una',
      prefix: key.prefix,
      inherited: false,
      createdAt: new Date(site.clock.now).toISOString(),
      lastUsedDay: null,
    })

    const listed = await site.json(cookie, 'GET', '/api/account/keys')
    expect(listed.headers.get('Cache-Control')).toBe('no-store')
    const text = await listed.text()
    expect(JSON.parse(text)).toEqual({ keys: [key], limit: 5 })
    expect(text).not.toContain(secret)

    const rotated = await site.json(cookie, 'POST', `/api/account/keys/${key.id}/rotate`, {
      prefix: key.prefix,
    })
    const after = await rotated.json<Issued>()
    expect(after.secret).not.toBe(secret)
    expect(after.key).toEqual({ ...key, prefix: after.key.prefix })
    expect(await stored()).toEqual([await hashKey(after.secret)])

    const stale = await site.json(cookie, 'POST', `/api/account/keys/${key.id}/rotate`, {
      prefix: key.prefix,
    })
    expect(stale.status).toBe(409)

    const revoked = await site.json(cookie, 'DELETE', `/api/account/keys/${key.id}`)
    expect(await revoked.json()).toEqual({ deleted: true })
    expect(await stored()).toEqual([])
    expect((await site.json(cookie, 'DELETE', `/api/account/keys/${key.id}`)).status).toBe(404)
  })

  it('stop at five, even when twenty are asked for at once', async () => {
    const site = openSite()
    const cookie = await site.signIn()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        site.json(cookie, 'POST', '/api/account/keys', { name: `clave ${i}` }),
      ),
    )
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([
      ...Array<number>(5).fill(201),
      ...Array<number>(15).fill(409),
    ])
    const refused = answers.find((answer) => answer.status === 409)!
    expect((await refused.json<{ error: string }>()).error).toContain('5 claves')
    expect(await stored()).toHaveLength(5)
  })

  it('above five that were inherited keep working, and no other is made until fewer remain', async () => {
    const site = openSite()
    const cookie = await site.signIn()
    const accountId = await onlyAccount()
    for (let i = 0; i < 7; i++)
      await seedInheritedKey(accountId, { hash: `hash-${i}`, name: `heredada ${i}` })

    const page = await (await site.fetch('/cuenta', { headers: { Cookie: cookie } })).text()
    expect(page.match(/Heredada de v1/g)).toHaveLength(7)
    expect(page).toContain('Tenés 7 claves, y todas siguen sirviendo')

    const create = () => site.json(cookie, 'POST', '/api/account/keys', { name: 'otra' })
    for (const id of ['hash-0', 'hash-1', 'hash-2']) {
      expect((await create()).status).toBe(409)
      expect((await site.json(cookie, 'DELETE', `/api/account/keys/${id}`)).status).toBe(200)
    }
    expect((await create()).status).toBe(201)
  })

  it.each([
    ['no body', undefined, 400],
    ['not JSON', '{', 400],
    ['an array', '[]', 400],
    ['null', 'null', 400],
    ['no name', '{}', 400],
    ['a number for a name', '{"name":1}', 400],
    ['an unknown field', '{"name":"x","admin":true}', 400],
    ['an empty name', '{"name":"   "}', 400],
    ['61 characters', JSON.stringify({ name: 'a'.repeat(61) }), 400],
    ['a line break', '{"name":"a\\nb"}', 400],
    ['a zero byte', '{"name":"a\\u0000b"}', 400],
    ['letters that turn the line around', '{"name":"a\\u202eb"}', 400],
    ['over 16 KiB', JSON.stringify({ name: 'a'.repeat(17_000) }), 413],
  ])('are not made from %s', async (_, body, status) => {
    const site = openSite()
    const cookie = await site.signIn()
    const response = await site.fetch('/api/account/keys', {
      method: 'POST',
      headers: { Cookie: cookie, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    })
    expect(response.status).toBe(status)
    expect(Object.keys(await response.json<object>())).toEqual(['error'])
    expect(await stored()).toEqual([])
  })
})

it('a body that ends before it should is 400, in pages and JSON', async () => {
  const site = openSite()
  const cookie = await site.signIn()
  const headers = { Cookie: cookie, 'Content-Type': 'application/json' }

  for (const path of ['/api/account/keys', '/cuenta/claves']) {
    const response = await site.fetch(path, { method: 'POST', headers, body: cutShort() })
    expect(response.status, path).toBe(400)
  }
})

const NASTY = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'); drop table api_keys; --",
  '${7*7} {{7*7}}',
  '&lt;b&gt; & ‘ñandú’ 🐎',
]

it.each(NASTY)('the name %s is kept to the letter and shown as text', async (name) => {
  const site = openSite()
  const cookie = await site.signIn()
  const token = await site.formToken(cookie)
  const created = await site.post(
    '/cuenta/claves',
    { token, nombre: `  ${name} ` },
    { Cookie: cookie },
  )
  expect(created.status).toBe(200)

  const { keys } = await (
    await site.json(cookie, 'GET', '/api/account/keys')
  ).json<{ keys: { id: string; name: string }[] }>()
  expect(keys.map((key) => key.name)).toEqual([name])

  const paths = [
    '/cuenta',
    `/cuenta/claves/${keys[0]!.id}/rotar`,
    `/cuenta/claves/${keys[0]!.id}/revocar`,
  ]
  const pages = [await created.text()]
  for (const path of paths)
    pages.push(await (await site.fetch(path, { headers: { Cookie: cookie } })).text())
  for (const page of pages) {
    expect(page).not.toContain('<script>alert')
    expect(page).not.toContain('<img')
    expect(page).toContain(escaped(name))
  }
})

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

it.each(['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>'])(
  'a refused form shows %s again as text',
  async (text) => {
    const site = openSite()
    const cookie = await site.signIn()
    const token = await site.formToken(cookie)
    const answers = [
      await site.post('/cuenta/entrar', { email: text }),
      await site.post(
        '/cuenta/claves',
        { token, nombre: `${text}${'a'.repeat(61)}` },
        { Cookie: cookie },
      ),
      await site.post('/cuenta/borrar', { token, correo: text }, { Cookie: cookie }),
      await site.fetch(`/cuenta?aviso=${encodeURIComponent(text)}`, {
        headers: { Cookie: cookie },
      }),
      await site.fetch('/cuenta?aviso=constructor', { headers: { Cookie: cookie } }),
    ]
    for (const answer of answers) {
      const page = await answer.text()
      expect(page).not.toContain('<script>alert')
      expect(page).not.toContain('<img')
    }
  },
)

describe('a secret', () => {
  it('is shown once, on a page that is never stored, with its curl line', async () => {
    const site = openSite()
    const cookie = await site.signIn()
    const token = await site.formToken(cookie)
    const created = await site.post('/cuenta/claves', { token, nombre: 'una' }, { Cookie: cookie })
    expect(created.headers.get('Cache-Control')).toBe('no-store')
    const page = await created.text()
    const secret = page.match(/cot_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}/)![0]
    expect(page).toContain(
      `curl -H &#39;Authorization: Bearer ${secret}&#39; https://cotizaciones.test/api/v2/auth/check`,
    )

    const list = await (await site.fetch('/cuenta', { headers: { Cookie: cookie } })).text()
    expect(list).not.toContain(secret)
    expect(list).toContain(secret.slice(0, 12))
  })

  it('once rotated on the page is dead, and sending the same form again changes nothing', async () => {
    const site = openSite()
    const cookie = await site.signIn()
    const { key } = await issue(site, cookie)
    const form = { token: await site.formToken(cookie), prefijo: key.prefix }
    const rotated = await site.post(`/cuenta/claves/${key.id}/rotar`, form, { Cookie: cookie })
    expect(rotated.status).toBe(200)
    const secret = (await rotated.text()).match(/cot_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}/)![0]
    expect(await stored()).toEqual([await hashKey(secret)])

    const again = await site.post(`/cuenta/claves/${key.id}/rotar`, form, { Cookie: cookie })
    expect(again.status).toBe(409)
    expect(await stored()).toEqual([await hashKey(secret)])
  })
})

describe('deleting the account', () => {
  it('needs its e-mail, and takes keys, webhooks, marks and every session with it', async () => {
    const site = openSite()
    const cookie = await site.signIn()
    const elsewhere = await site.signIn()
    const bystander = await site.signIn('otra@ejemplo.com')
    await issue(site, cookie)
    const token = await site.formToken(cookie)

    for (const correo of ['', 'otra@ejemplo.com', 'ana@ejemplo.com'])
      expect(
        (await site.post('/cuenta/borrar', { token, correo }, { Cookie: cookie })).status,
      ).toBe(400)
    expect(await stored()).toHaveLength(1)

    const gone = await site.post(
      '/cuenta/borrar',
      { token, correo: ' ANA@ejemplo.com.ar ' },
      { Cookie: cookie },
    )
    expect(gone.headers.get('Location')).toBe('/cuenta/entrar?aviso=cuenta-borrada')
    expect(gone.headers.getSetCookie().join()).toMatch(/__Host-session=;/)
    expect(await stored()).toEqual([])
    for (const old of [cookie, elsewhere])
      expect((await site.json(old, 'GET', '/api/account')).status).toBe(401)
    expect((await site.json(bystander, 'GET', '/api/account')).status).toBe(200)
  })

  it('works as JSON', async () => {
    const site = openSite()
    const cookie = await site.signIn()
    expect((await site.json(cookie, 'DELETE', '/api/account', { email: 'x@y.zz' })).status).toBe(
      400,
    )
    const gone = await site.json(cookie, 'DELETE', '/api/account', { email: 'ana@ejemplo.com.ar' })
    expect(await gone.json()).toEqual({ deleted: true })
    expect((await site.json(cookie, 'GET', '/api/account')).status).toBe(401)
  })

  it('does not stop the same e-mail from starting anew', async () => {
    const site = openSite()
    const cookie = await site.signIn()
    await site.json(cookie, 'DELETE', '/api/account', { email: 'ana@ejemplo.com.ar' })
    const again = await site.signIn()
    expect(await (await site.json(again, 'GET', '/api/account/keys')).json()).toEqual({
      keys: [],
      limit: 5,
    })
  })
})

it('an imported account is its owner’s at the first sign-in, keys and all', async () => {
  const site = openSite()
  await insertAccount('uno', 'ana@ejemplo.com.ar', { emailVerified: false })
  await seedInheritedKey('uno', { hash: 'k' })
  const cookie = await site.signIn()
  const { keys } = await (
    await site.json(cookie, 'GET', '/api/account/keys')
  ).json<{ keys: { id: string }[] }>()
  expect(keys.map((key) => key.id)).toEqual(['k'])
})

describe('every answer', () => {
  it.each([
    '/cuenta/entrar',
    '/cuenta',
    '/cuenta/enlace?token=x',
    '/no-existe',
    '/cuenta/claves/x/rotar',
  ])('of %s carries the security headers', async (path) => {
    const { headers } = await openSite().fetch(path)
    const policy = headers.get('Content-Security-Policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('Strict-Transport-Security')).toMatch(/max-age=\d{8}/)
    expect(headers.get('Referrer-Policy')).toBe('same-origin')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('X-Frame-Options')).toBe('DENY')
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
    if (path.startsWith('/cuenta')) expect(headers.get('Cache-Control')).toBe('no-store')
  })

  it('of /api/account may be read from anywhere without credentials, and never with them', async () => {
    const site = openSite()
    const cookie = await site.signIn()
    for (const response of [
      await site.json(cookie, 'GET', '/api/account'),
      await site.fetch('/api/account'),
      await site.fetch('/api/account/keys', {
        method: 'OPTIONS',
        headers: { Origin: 'https://x.example' },
      }),
    ]) {
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull()
    }
  })

  it.each([
    ['PATCH', '/api/account', 'GET, HEAD, DELETE, OPTIONS'],
    ['DELETE', '/api/account/keys', 'GET, HEAD, POST, OPTIONS'],
    ['GET', '/api/account/keys/x', 'DELETE, OPTIONS'],
    ['GET', '/api/account/keys/x/rotate', 'POST, OPTIONS'],
  ])('%s %s is 405 and names what is allowed', async (method, path, allow) => {
    const response = await openSite().fetch(path, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toBe(allow)
  })
})

/** A body that ends before it should. */
function cutShort(): ReadableStream {
  return new ReadableStream({
    pull: (controller) => controller.error(new Error('the sender is gone')),
  })
}
