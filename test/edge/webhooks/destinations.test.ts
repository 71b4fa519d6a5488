import { expect, it } from 'vitest'
import { requestHost } from '../../../shared/webhooks/destination/destination.ts'
import { VECTORS } from '../../support/destination-vectors.ts'
import { aBody, openClient } from '../../support/webhook-client.ts'
import { deleteRows, readRows } from '../../support/rows.ts'

const OWN = 'La URL no puede apuntar a este mismo servicio'

it('the vectors refused by themselves are 400, or 413 when too long, and store nothing', async () => {
  const client = await openClient()
  const refused = VECTORS.filter(({ verdict, dns }) => verdict === 'refused' && !dns)

  for (const { url } of refused) {
    const body = JSON.stringify(aBody({ url }))
    const isLong = new TextEncoder().encode(body).length > 16_384
    const { status } = await client.create({ url })
    expect([url, status]).toEqual([url, isLong ? 413 : 400])
  }
  expect(await readRows('subscriptions')).toEqual([])
  expect(refused.length).toBeGreaterThan(200)
})

it('the vectors allowed, and those that only the DNS may refuse, are 201', async () => {
  const client = await openClient({ env: { EGRESS: {} } })
  const taken = VECTORS.filter(({ verdict, dns }) => verdict === 'allowed' || dns)

  for (const { url } of taken) {
    expect([url, (await client.create({ url })).status]).toEqual([url, 201])
    await deleteRows('subscriptions')
  }
  expect(taken.length).toBeGreaterThan(50)
})

it.each([
  ['https://93.184.216.34/x', /direcciones IP$/],
  ['https://[2606:4700:4700::1111]/', /direcciones IP$/],
  ['https://127.0.0.1/', 'La dirección IP de la URL no es pública'],
  ['https://receptor.example:8443/', 'La URL debe usar el puerto 443'],
  ['https://cotizaciones.example/api', OWN],
  ['https://www.cotizaciones.example/', OWN],
  ['https://COTIZACIONES.test/api/v2/webhooks', OWN],
])('%s is refused at creation and in an edit: %s', async (url, error) => {
  const hosts = 'https://cotizaciones.example, https://www.cotizaciones.example'
  const client = await openClient({ env: { PUBLIC_ORIGIN: hosts } })
  const { id } = await client.made()

  for (const refused of [await client.create({ url }), await client.edit(id, { version: 1, url })])
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringMatching(error)])
  expect((await client.read(id)).body.webhook.version).toBe(1)
})

it('a host under ours or beside it may be a receiver', async () => {
  const client = await openClient({ env: { PUBLIC_ORIGIN: '' } })
  await client.made({ url: 'https://hook.cotizaciones.test/' })
  await client.made({ url: 'https://otrascotizaciones.test/' })
})

it('our host is the same in every spelling', () => {
  for (const host of ['A.EXAMPLE', 'a.example.', 'a.example:8787'])
    expect(requestHost(`https://${host}/x`)).toBe('a.example')
})
