import { describe, expect, it } from 'vitest'
import { openKeyring } from '../../../shared/crypto/sealed-box.ts'
import { resealSubscriptions } from '../../../tools/operate/admin/reseal.ts'
import { env } from '../../support/env.ts'
import { also, KINDS, openClient, openWithOne } from '../../support/account-client.ts'
import { readWebhook, seedQuote } from '../../support/webhooks.ts'
import { changeRows } from '../../support/rows.ts'

const SECRETS = ['una-ruta', 'una-clave', 'otra-ruta', 'una-credencial', 'otra-credencial']

describe.each(KINDS)('%s:', (kind) => {
  it('no table holds a secret, URL or credential in clear text, and no answer but the single read shows one', async () => {
    await seedQuote('usd/blue', 1400, 1450)
    const client = await openClient({ kind })
    const created = await client.create({ receiverAuthorization: 'Bearer una-credencial' })
    const { id } = created.body[kind]
    const otherUrl = 'https://discord.com/api/webhooks/123456789012345678/otra-ruta'
    const other = { url: otherUrl, receiverAuthorization: 'Bearer otra-credencial' }
    const rotated = await client.rotate(id, 1)
    const answers = [
      created,
      rotated,
      await client.edit(id, { version: 2, ...other }),
      await client.edit(id, { version: 3 }),
      await client.edit(id, { version: 4, url: 'http://x/una-ruta' }),
      await client.test(id),
      await client.list(),
      await client.deliveries(),
    ]
    const dump = await dumpTables()
    expect(dump).toContain('https://discord.com/***')
    for (const secret of [created.body.secret, rotated.body.secret, client.key])
      expect(dump).not.toContain(secret)
    for (const text of [dump, ...answers.map(({ text }) => text)])
      for (const secret of SECRETS) expect(text).not.toContain(secret)
  })

  it('rows sealed with an older key open, and what an edit changes is sealed with the current key, the rest by `admin reseal`', async () => {
    const [old, current] = [`old:${btoa('o'.repeat(32))}`, `new:${btoa('n'.repeat(32))}`]
    const before = { kind, env: { KEY_ENCRYPTION_KEYS: old } }
    const { id, ...client } = await openWithOne(before, { receiverAuthorization: 'x' })
    const after = await also(client, { env: { KEY_ENCRYPTION_KEYS: `${current},${old}` } })
    expect((await after.read(id)).body[kind].url).toContain('una-ruta')

    await after.edit(id, { version: 1, url: 'https://otro.example/' })
    const { urlSealed, authorizationSealed, secretSealed } = await readWebhook(id)
    expect(urlSealed).toMatch(/^v1\.new\./)
    for (const kept of [authorizationSealed, secretSealed]) expect(kept).toMatch(/^v1\.old\./)
    expect((await after.read(id)).body[kind].url).toBe('https://otro.example/')

    await resealSubscriptions(env.DB, openKeyring(`${current},${old}`))
    const counts = await resealSubscriptions(env.DB, openKeyring(current!))
    expect(counts).toEqual({ resealed: 0, current: 1, unreadable: 0 })
  })

  it('reading a URL that does not open answers 503, and an edit can replace it', async () => {
    const { id, ...client } = await openWithOne({ kind }, { receiverAuthorization: 'x' })
    await changeRows('subscriptions', { urlSealed: 'v1.gone.AAAAAAAAAAAAAAAA.AAAA' })

    expect((await client.read(id)).status).toBe(503)
    const target = kind === 'alert' ? { channel: 'email' } : { url: 'https://otro.example/' }
    expect((await client.edit(id, { version: 1, ...target })).status).toBe(200)
    const url = kind === 'alert' ? null : 'https://otro.example/'
    expect((await client.read(id)).body[kind].url).toBe(url)
    if (kind === 'alert') expect((await readWebhook(id)).authorizationSealed).toBeNull()
  })
})

/** Every value of every table, as JSON. */
async function dumpTables(): Promise<string> {
  const { results } = await env.DB.prepare(
    `select name from sqlite_schema where type = 'table' and name not like '\\_cf%' escape '\\'`,
  ).all<{ name: string }>()
  const tables = await env.DB.batch(
    results.map(({ name }) => env.DB.prepare(`select * from "${name}"`)),
  )
  return JSON.stringify(tables.map(({ results }) => results))
}
