import { describe, expect, it } from 'vitest'
import {
  also,
  CLOSED,
  KINDS,
  openClient,
  OTHER,
  tally,
  times,
} from '../../support/account-client.ts'
import { NOW, seedQuote, seedWebhook } from '../../support/webhooks.ts'

/** The fields of one kind alone. */
const OWN_FIELDS = {
  webhook: { source: 'v2', needsSync: false },
  alert: {
    side: 'sell',
    condition: 'above',
    threshold: 1500,
    hysteresis: 5,
    against: null,
    repeat: true,
    channel: 'webhook',
    phase: 'armed',
    isMet: false,
    value: 1430,
    percent: null,
    firedAt: null,
  },
}

describe.each(KINDS)('creating a(n) %s', (kind) => {
  it('answers every field, and the secret only once; another account may use the same operation id', async () => {
    await seedQuote('usd/blue', 1410, 1430)
    const client = await openClient({ kind })
    const operationId = crypto.randomUUID()
    const rule = kind === 'alert' ? { hysteresis: 5, repeat: true } : {}
    const created = await client.create({ operationId, enabled: undefined, ...rule })

    expect(created.status).toBe(201)
    const subscription = created.body[kind]
    expect(created.body).toEqual({
      [kind]: {
        id: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-\w{12}$/,
        ),
        operationId,
        currency: 'USD',
        origin: 'BLUE',
        destination: 'https://receptor.example/***',
        enabled: true,
        receiverAuthorizationConfigured: false,
        state: 'active',
        version: 1,
        createdAt: new Date(NOW).toISOString(),
        ...OWN_FIELDS[kind],
      },
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      reconciled: false,
    })
    const url = 'https://receptor.example/hooks/una-ruta?clave=una-clave'
    expect((await client.read(subscription.id)).body).toEqual({ [kind]: { ...subscription, url } })
    const limit = { webhook: 5, alert: 20 }[kind]
    expect((await client.list()).body).toEqual({ [`${kind}s`]: [subscription], limit })
    expect(client.sent).toEqual([])
    const paused = (await client.create({ enabled: false })).body[kind]
    expect(paused).toMatchObject({ enabled: false, state: 'manual' })
    const beto = await openClient({ kind, email: 'beto@ejemplo.com.ar' })
    expect((await beto.made({ operationId })).secret).not.toBe(created.body.secret)
  })

  it('makes one subscription from 20 concurrent requests, shows its secret once, and reconciles later requests, whatever their body', async () => {
    const client = await openClient({ kind })
    const operationId = crypto.randomUUID()
    const answers = await times(20, () => client.create({ operationId }))

    expect(tally(answers)).toEqual({ 200: 19, 201: 1 })
    expect(answers.filter(({ text }) => text.includes('secret'))).toHaveLength(1)
    expect(answers.filter(({ body }) => body.reconciled)).toHaveLength(19)
    const [made, ...others] = new Set(answers.map(({ body }) => JSON.stringify(body[kind])))
    expect(others).toEqual([])

    const again = await client.create({ operationId, origin: 'BNA', url: 'https://otro.example/' })
    expect(again.body).toEqual({ [kind]: JSON.parse(made!), reconciled: true })
  })

  it('has a limit by account, under concurrency too; the other kind does not count towards it', async () => {
    const client = await openClient({ kind })
    const other = await also(client, { kind: OTHER[kind] })
    await times(5, () => other.made())
    const { operationId } = await client.made()
    const limit = { webhook: 5, alert: 20 }[kind]
    await times(limit - 4, () => client.made({ enabled: false }))
    // An inherited subscription counts too.
    const inherited = { kind, state: 'inherited', source: 'v1' } as const
    const id = await seedWebhook({ accountId: client.accountId, ...inherited })
    expect(tally(await times(20, () => client.create()))).toEqual({ 201: 2, 409: 18 })
    expect((await client.create({ operationId })).status).toBe(200)
    expect((await other.list()).body[`${OTHER[kind]}s`]).toHaveLength(5)
    await client.remove(id, 1)
    expect(tally(await times(2, () => client.create()))).toEqual({ 201: 1, 409: 1 })
  })

  it('is refused while admission is closed; a repeated creation is answered', async () => {
    const open = await openClient({ kind })
    const { operationId, secret: _, ...made } = await open.made()
    const client = await also(open, CLOSED)

    const refused = await client.create()
    expect(refused.status).toBe(503)
    expect(refused.body.error).toContain('en preparación')
    const again = await client.create({ operationId })
    expect(again.status).toBe(200)
    expect(again.body).toEqual({ [kind]: { operationId, ...made }, reconciled: true })
  })
})

it('an operation id used for an alert is refused for a webhook until the alert is deleted', async () => {
  const client = await openClient({ kind: 'alert' })
  const { operationId, id } = await client.made()
  const webhooks = await also(client, { kind: 'webhook' })
  const taken = [400, { error: 'El campo operationId ya se usó para otra cosa' }]

  const refused = await webhooks.create({ operationId })
  expect([refused.status, refused.body]).toEqual(taken)
  await client.remove(id, 1)
  expect((await webhooks.create({ operationId })).status).toBe(201)
  const alert = await client.create({ operationId })
  expect([alert.status, alert.body]).toEqual(taken)
})

it('a new alert waits if its condition is met already, and is armed if its pair has no value', async () => {
  const client = await openClient({ kind: 'alert' })
  await seedQuote('usd/blue', 1500, 1500)

  expect((await client.create()).body.alert).toMatchObject({ phase: 'waiting', isMet: true })
  const { alert } = (await client.create({ origin: 'CCL' })).body
  expect(alert).toMatchObject({ phase: 'armed', isMet: null, value: null })
})

const MAILED = { channel: 'email', url: undefined }

it('an alert by e-mail needs no receiver, gives no secret, and is refused where no mail can be sent', async () => {
  await seedQuote('usd/blue', 1410, 1430)
  const sends = await openClient({ kind: 'alert' })
  const { status, body } = await sends.create({ ...MAILED, enabled: false })
  expect([status, body.secret]).toEqual([201, undefined])
  expect(body.alert).toMatchObject({ channel: 'email', destination: null })
  const paused = body.alert.id
  expect((await sends.read(paused)).body.alert.url).toBeNull()

  const client = await also(sends, { env: { MAIL_FROM: '' } })
  const { id } = await client.made()
  for (const refused of [
    await client.create(MAILED),
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

/** A gap between the blue dollar and another pair. */
const gap = (currency: string, origin: string) => ({
  condition: 'gap',
  threshold: 5,
  against: { currency, origin },
})
const RISK = { currency: 'ARG', origin: 'RIESGO' }
const { against } = gap('USD', 'OFICIAL')

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
  ['a gap with nothing', { condition: 'gap', threshold: 5 }, /falta el campo against/],
  ['a gap with itself', gap('USD', 'BLUE'), /dos precios distintos de una misma moneda/],
  ['a gap of two currencies', gap('EUR', 'BLUE'), /de una misma moneda/],
  ['a gap of an index', { ...RISK, ...gap('ARG', 'CER') }, /dos precios/],
  ['another pair without a gap', { against }, /against es solo de la condición gap/],
  ['an unknown field in against', { against: { ...against, x: 1 } }, 'Hay campos desconocidos'],
  ['no receiver', { url: undefined }, /url falta/],
  ['a receiver for e-mail', { channel: 'email' }, /no lleva url/],
  ['a credential for e-mail', { ...MAILED, receiverAuthorization: 'x' }, /no lleva url/],
])('an alert with %s is refused with 400', async (_, changes, error) => {
  const client = await openClient({ kind: 'alert' })
  const { status, body } = await client.create(changes)
  expect([status, body]).toEqual([400, { error: expect.stringMatching(error) }])
  expect((await client.list()).body.alerts).toEqual([])
})
