import { describe, expect, it } from 'vitest'
import { change } from '../../support/alerts.ts'
import { ALERTS, anAlert, openClient } from '../../support/account-client.ts'
import { NOW } from '../../support/webhooks.ts'

const BEFORE = NOW - 60_000

describe('creating an alert', () => {
  it('answers its rule, and its secret only once', async () => {
    const client = await openClient({ kind: 'alert' })
    await change({ 'USD/BLUE': [1410, 1430] }, BEFORE)
    const body = anAlert({ hysteresis: 5, repeat: true })

    const created = await client.call('POST', ALERTS, body)

    expect(created).toMatchObject({ status: 201 })
    expect(created.body).toEqual({
      alert: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        operationId: body.operationId,
        currency: 'USD',
        origin: 'BLUE',
        side: 'sell',
        condition: 'above',
        threshold: 1500,
        hysteresis: 5,
        against: null,
        repeat: true,
        channel: 'webhook',
        destination: 'https://receptor.example/***',
        receiverAuthorizationConfigured: false,
        enabled: true,
        state: 'active',
        phase: 'armed',
        isMet: false,
        value: 1430,
        percent: null,
        version: 1,
        firedAt: null,
        createdAt: '2026-03-02T15:00:00.000Z',
      },
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      reconciled: false,
    })
    const again = await client.call('POST', ALERTS, body)
    expect(again.status).toBe(200)
    expect(again.body).toEqual({ alert: created.body.alert, reconciled: true })
    expect((await client.list()).body).toEqual({ alerts: [created.body.alert], limit: 20 })
  })

  it('makes it wait if its condition is met already, and arms it if its pair has no value', async () => {
    const client = await openClient({ kind: 'alert' })
    await change({ 'USD/BLUE': 1500 }, BEFORE)

    expect((await client.create()).body.alert).toMatchObject({ phase: 'waiting', isMet: true })
    const { alert } = (await client.create({ origin: 'CCL' })).body
    expect(alert).toMatchObject({ phase: 'armed', isMet: null, value: null })
  })

  it('by e-mail needs no receiver and gives no secret', async () => {
    const client = await openClient({ kind: 'alert' })

    const { status, body } = await client.create({ channel: 'email', url: undefined })

    expect(status).toBe(201)
    expect(body.alert).toMatchObject({ channel: 'email', destination: null })
    expect(body).not.toHaveProperty('secret')
    expect((await client.read(body.alert.id)).body.alert.url).toBeNull()
  })

  it('by e-mail is refused where no mail can be sent; so are its activation and its test', async () => {
    await change({ 'USD/BLUE': [1410, 1430] }, BEFORE)
    const client = await openClient({ kind: 'alert', env: { MAIL_FROM: '' } })
    const byMail = { channel: 'email', url: undefined, enabled: false }
    const paused = (
      await (await openClient({ kind: 'alert', accountId: client.accountId })).create(byMail)
    ).body.alert.id as string
    const { id } = await client.made()

    for (const refused of [
      await client.create(byMail),
      await client.edit(id, { version: 1, channel: 'email' }),
      await client.edit(paused, { version: 1, enabled: true }),
      await client.test(paused),
    ])
      expect([refused.status, refused.body, refused.headers.get('Retry-After')]).toEqual([
        503,
        { error: 'Este servicio no manda correos: una alerta va por webhook' },
        '3600',
      ])
    expect((await client.edit(paused, { version: 1, threshold: 1600 })).status).toBe(200)
    expect((await client.list()).body.alerts).toHaveLength(2)
  })
})

/** A gap between the blue dollar and another pair. */
const gap = (currency: string, origin: string) => ({
  condition: 'gap',
  threshold: 5,
  against: { currency, origin },
})
const RISK = { currency: 'ARG', origin: 'RIESGO' }
const MAILED = { channel: 'email', url: undefined }
const { against } = gap('USD', 'OFICIAL')

describe('a creation is refused with 400', () => {
  it.each([
    ['a text', { threshold: '1500' }, 'El campo threshold falta o no es válido'],
    ['a negative level', { threshold: -1 }, /umbral debe ser mayor que 0/],
    ['more decimals than the pair', { threshold: 1500.001 }, /con hasta 2 decimales/],
    ['a level beyond all', { threshold: 1e9 + 1 }, /hasta 1\.000\.000\.000/],
    ['half points', { ...RISK, threshold: 0.5 }, /1\.000\.000\.000, sin decimales$/],
    ['a percent too fine', { condition: 'change', threshold: 0.001 }, /hasta 2 decimales/],
    ['a percent too large', { condition: 'change', threshold: 1001 }, /hasta 1\.000,/],
    ['a hysteresis below 0', { hysteresis: -1 }, /histéresis/],
    ['a hysteresis of all', { hysteresis: 1500 }, /histéresis/],
    ['a pair of none', { currency: 'CLP' }, 'El par de moneda y origen no existe'],
    ['a gap with nothing', { condition: 'gap', threshold: 5 }, /falta el campo against/],
    ['a gap with itself', gap('USD', 'BLUE'), /dos precios distintos de una misma moneda/],
    ['a gap of two currencies', gap('EUR', 'BLUE'), /de una misma moneda/],
    ['a gap of an index', { ...RISK, ...gap('ARG', 'CER') }, /dos precios/],
    ['another pair without a gap', { against }, /against es solo de la condición gap/],
    ['an unknown field in against', { against: { ...against, x: 1 } }, 'Hay campos desconocidos'],
    ['no receiver', { url: undefined }, /url falta/],
    ['a private receiver', { url: 'https://10.0.0.1/' }, /.+/],
    ['a receiver for e-mail', { channel: 'email' }, /no lleva url/],
    ['a credential for e-mail', { ...MAILED, receiverAuthorization: 'x' }, /no lleva url/],
  ])('%s', async (_, changes, error) => {
    const client = await openClient({ kind: 'alert' })

    const { status, body } = await client.create(changes)

    expect(status).toBe(400)
    expect(body.error).toMatch(error)
    expect((await client.list()).body.alerts).toEqual([])
  })
})
