import { describe, expect, it } from 'vitest'
import { requestHost } from '../../../shared/webhooks/destination/destination.ts'
import { VECTORS } from '../../support/destination-vectors.ts'
import { aBody, openClient, WEBHOOKS } from '../../support/webhook-client.ts'
import { deleteRows, readRows } from '../../support/rows.ts'

describe('the destination vectors, at the API', () => {
  it('those refused by themselves are 400, or 413 when the body is too long, and store nothing', async () => {
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

  it('those allowed, and those that only the DNS may refuse, are 201', async () => {
    const client = await openClient({ env: { EGRESS: {} } })
    const taken = VECTORS.filter(({ verdict, dns }) => verdict === 'allowed' || dns)

    for (const { url } of taken) {
      expect([url, (await client.create({ url })).status]).toEqual([url, 201])
      await deleteRows('subscriptions')
    }
    expect(taken.length).toBeGreaterThan(50)
  })
})

it('an address is refused where the way out takes only names, at creation and in an edit', async () => {
  const client = await openClient()
  const { id } = await client.made()

  for (const url of ['https://93.184.216.34/x', 'https://[2606:4700:4700::1111]/']) {
    const refused = [await client.create({ url }), await client.edit(id, { version: 1, url })]
    for (const { status, body } of refused)
      expect([status, body.error]).toEqual([400, expect.stringMatching(/direcciones IP$/)])
  }
})

it.each([
  ['https://cotizaciones.example/api', 'La URL no puede apuntar a este mismo servicio'],
  ['https://www.cotizaciones.example/', 'La URL no puede apuntar a este mismo servicio'],
  ['https://127.0.0.1/', 'La dirección IP de la URL no es pública'],
  ['https://receptor.example:8443/', 'La URL debe usar el puerto 443'],
])('%s is refused: %s', async (url, error) => {
  const hosts = 'https://cotizaciones.example, https://www.cotizaciones.example'
  const client = await openClient({ env: { PUBLIC_ORIGIN: hosts } })
  const refused = await client.create({ url })

  expect({ status: refused.status, body: refused.body }).toEqual({ status: 400, body: { error } })
})

describe('the host that the request came to', () => {
  const OWN = 'La URL no puede apuntar a este mismo servicio'

  it.each(['https://cotizaciones.test/', 'https://COTIZACIONES.test/api/v2/webhooks'])(
    'is our own without any configuration: %s',
    async (url) => {
      const client = await openClient({ env: { PUBLIC_ORIGIN: '' } })
      expect((await client.create({ url })).body).toEqual({ error: OWN })

      const { webhook } = (await client.create()).body
      const edited = await client.edit(webhook.id, { version: 1, url })
      expect({ status: edited.status, body: edited.body }).toEqual({
        status: 400,
        body: { error: OWN },
      })
    },
  )

  it('is no other’s: a host under it or beside it may be a receiver', async () => {
    const client = await openClient({ env: { PUBLIC_ORIGIN: '' } })
    for (const url of ['https://hook.cotizaciones.test/', 'https://otrascotizaciones.test/'])
      expect((await client.create({ url })).status).toBe(201)
  })

  it('is the same host in every spelling', () => {
    for (const host of ['a.example', 'A.EXAMPLE', 'a.example.', 'a.example:8787'])
      expect(requestHost(`https://${host}/x`)).toBe('a.example')
  })
})

it('asks no resolver at creation', async () => {
  const asked: unknown[] = []
  const { fetch } = globalThis
  globalThis.fetch = async (input) => {
    asked.push(input)
    throw new Error('no network')
  }
  try {
    const client = await openClient()
    expect((await client.call('POST', WEBHOOKS, aBody())).status).toBe(201)
  } finally {
    globalThis.fetch = fetch
  }
  expect(asked).toEqual([])
})
