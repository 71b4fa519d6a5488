import { beforeAll, describe, expect, it } from 'vitest'
import { createKey, listKeys } from '../../shared/db/accounts/api-keys.ts'
import { env } from '../support/env.ts'
import { seedOnce } from '../support/open-database.ts'
import { random } from '../support/random.ts'
import { openSite, ORIGIN, type TestSite } from '../support/site.ts'
import { onlyAccount } from '../support/accounts.ts'
import { readRows } from '../support/rows.ts'

beforeAll(() => openSite().fetch('/cuenta/entrar'), 60_000)

/** Someone signed in, with one key. */
async function arrange() {
  const site = openSite()
  const arranged = await seedOnce('signed in, with one key', async () => {
    const cookie = await site.signIn()
    const token = await site.formToken(cookie)
    const accountId = await onlyAccount()
    const made = await createKey(env.DB, { accountId, name: 'una', now: 0, random })
    if (!made.ok) throw new Error(made.refusal)
    return { cookie, token, accountId, ...made.value }
  })
  return { site, ...arranged }
}

type Arranged = Awaited<ReturnType<typeof arrange>>

/** All that a session can change, on pages and as JSON. */
const MUTATIONS: [
  name: string,
  (a: Arranged) => {
    path: string
    method: string
    fields?: Record<string, string>
    json?: unknown
  },
][] = [
  ['create a key', () => ({ path: '/cuenta/claves', method: 'POST', fields: { nombre: 'otra' } })],
  [
    'rotate a key',
    ({ record }) => ({
      path: `/cuenta/claves/${record.id}/rotar`,
      method: 'POST',
      fields: { prefijo: record.prefix },
    }),
  ],
  [
    'revoke a key',
    ({ record }) => ({ path: `/cuenta/claves/${record.id}/revocar`, method: 'POST', fields: {} }),
  ],
  [
    'delete the account',
    () => ({ path: '/cuenta/borrar', method: 'POST', fields: { correo: 'ana@ejemplo.com.ar' } }),
  ],
  ['sign out', () => ({ path: '/cuenta/salir', method: 'POST', fields: {} })],
  [
    'create a key by JSON',
    () => ({ path: '/api/account/keys', method: 'POST', json: { name: 'otra' } }),
  ],
  [
    'rotate a key by JSON',
    ({ record }) => ({
      path: `/api/account/keys/${record.id}/rotate`,
      method: 'POST',
      json: { prefix: record.prefix },
    }),
  ],
  [
    'revoke a key by JSON',
    ({ record }) => ({ path: `/api/account/keys/${record.id}`, method: 'DELETE' }),
  ],
  [
    'delete the account by JSON',
    () => ({ path: '/api/account', method: 'DELETE', json: { email: 'ana@ejemplo.com.ar' } }),
  ],
]

function send(
  site: TestSite,
  mutation: ReturnType<(typeof MUTATIONS)[number][1]>,
  headers: Record<string, string>,
  token: string | undefined,
) {
  const { path, method, fields, json } = mutation
  const body = fields
    ? new URLSearchParams({ ...fields, ...(token === undefined ? {} : { token }) })
    : json === undefined
      ? undefined
      : JSON.stringify(json)

  return site.fetch(path, {
    method,
    headers: { ...(json === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body }),
  })
}

/** Everything that a mutation could have changed. */
function state() {
  const tables = ['accounts', 'apiKeys', 'sessions'] as const
  return Promise.all(tables.map((table) => readRows(table)))
}

const FOREIGN: [string, Record<string, string>][] = [
  ['Origin of another site', { Origin: 'https://malo.example' }],
  ['Origin null', { Origin: 'null' }],
  ['an Origin that starts like ours', { Origin: `${ORIGIN}.malo.example` }],
  ['our Origin over http', { Origin: ORIGIN.replace('https', 'http') }],
  ['our Origin on another port', { Origin: `${ORIGIN}:8443` }],
  ['an empty Origin', { Origin: '' }],
  ['Sec-Fetch-Site cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['Sec-Fetch-Site same-site', { 'Sec-Fetch-Site': 'same-site' }],
  ['our Origin, yet cross-site', { Origin: ORIGIN, 'Sec-Fetch-Site': 'cross-site' }],
]

describe.each(MUTATIONS)('%s', (_, mutate) => {
  it('happens from our own page', async () => {
    const arranged = await arrange()
    const before = await state()
    const { site, cookie, token } = arranged
    const response = await send(
      site,
      mutate(arranged),
      { Cookie: cookie, Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' },
      token,
    )
    expect(response.status).toBeLessThan(400)
    expect(await state()).not.toEqual(before)
  })

  it('does not happen from another site', async () => {
    const arranged = await arrange()
    const before = await state()
    for (const [name, headers] of FOREIGN) {
      const { site, cookie, token } = arranged
      const response = await send(site, mutate(arranged), { Cookie: cookie, ...headers }, token)
      expect(response.status, name).toBe(403)
      expect(response.headers.get('Cache-Control')).toBe('no-store')
    }
    expect(await state()).toEqual(before)
  })

  it('does not happen without a session, nor with an API key instead', async () => {
    const arranged = await arrange()
    const before = await state()
    const { site, token, key } = arranged
    for (const credentials of [{}, { Authorization: `Bearer ${key}` }, { 'x-api-key': key }]) {
      const mutation = mutate(arranged)
      const response = await send(
        site,
        mutation,
        { Origin: ORIGIN, ...credentials } as Record<string, string>,
        token,
      )
      if (mutation.path.startsWith('/api/')) {
        expect(response.status).toBe(401)
        expect(await response.json()).toEqual({ error: 'No autorizado' })
      } else {
        expect(response.status).toBe(303)
        expect(response.headers.get('Location')).toBe('/cuenta/entrar')
      }
    }
    expect(await state()).toEqual(before)
  })

  it('from a form needs the token of this very session, with or without an Origin', async () => {
    const arranged = await arrange()
    const mutation = mutate(arranged)
    if (!mutation.fields) return

    const { site, cookie } = arranged
    const other = await site.formToken(await site.signIn('otra@ejemplo.com'))
    const before = await state()
    for (const token of [undefined, '', 'x', other])
      for (const headers of [{}, { Origin: ORIGIN }] as Record<string, string>[])
        expect((await send(site, mutation, { Cookie: cookie, ...headers }, token)).status).toBe(403)
    expect(await state()).toEqual(before)
  })

  it('happens for a program that names no origin but holds all the rest', async () => {
    const arranged = await arrange()
    const { site, cookie, token } = arranged
    expect((await send(site, mutate(arranged), { Cookie: cookie }, token)).status).toBeLessThan(400)
  })
})

it.each(FOREIGN)('sign-in forms refuse %s', async (_, headers) => {
  const site = openSite()
  await site.post('/cuenta/entrar', { email: 'ana@ejemplo.com.ar' })
  const send = (path: string, fields: Record<string, string>) =>
    site.fetch(path, { method: 'POST', headers, body: new URLSearchParams(fields) })

  expect((await send('/cuenta/entrar', { email: 'ana@ejemplo.com.ar' })).status).toBe(403)
  expect((await send('/cuenta/enlace', { enlace: site.lastToken() })).status).toBe(403)
  expect(site.mails).toHaveLength(1)
})

it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
  'JSON routes refuse a body that a form of another site could send (%s)',
  async (type) => {
    const { site, cookie } = await arrange()
    const response = await site.fetch('/api/account/keys', {
      method: 'POST',
      headers: { Cookie: cookie, 'Content-Type': type },
      body: '{"name":"x"}',
    })
    expect(response.status).toBe(415)
  },
)

it('another account’s keys are out of reach, and look like none', async () => {
  const { site, record, accountId } = await arrange()
  const stranger = await site.signIn('otra@ejemplo.com')
  const token = await site.formToken(stranger)
  const path = `/api/account/keys/${record.id}`

  expect((await site.json(stranger, 'DELETE', path)).status).toBe(404)
  expect(
    (await site.json(stranger, 'POST', `${path}/rotate`, { prefix: record.prefix })).status,
  ).toBe(404)
  expect(
    (await site.fetch(`/cuenta/claves/${record.id}/rotar`, { headers: { Cookie: stranger } }))
      .status,
  ).toBe(404)
  const revoke = await site.post(
    `/cuenta/claves/${record.id}/revocar`,
    { token },
    { Cookie: stranger },
  )
  expect(revoke.status).toBe(404)
  expect(await listKeys(env.DB, accountId)).toHaveLength(1)
})
