/** The pages of webhooks and alerts. The tests of the API cover the operations themselves. */
import { describe, expect, it } from 'vitest'
import { openKeyring } from '../../shared/crypto/sealed-box.ts'
import { openField } from '../../shared/subscriptions/sealed-fields.ts'
import { onlyAccount } from '../support/accounts.ts'
import { change } from '../support/alerts.ts'
import { env } from '../support/env.ts'
import { art } from '../support/instant.ts'
import { changeRows, countRows } from '../support/rows.ts'
import { openPages } from './subscription-pages.ts'
import {
  readDeliveries,
  readWebhook,
  insertDelivery,
  seedQuote,
  seedWebhook,
} from '../support/webhooks.ts'

const SECRET = /[0-9a-f]{64}/
const HOUR = 60 * 60 * 1000

const count = () => countRows('subscriptions')
const seedQuotes = () => change({ 'USD/BLUE': 1430, 'USD/OFICIAL': 1400 }, Date.now() - 60_000)

async function opened(id: string, field: 'authorization' | 'secret') {
  const row = await readWebhook(id)
  const sealed = { authorization: row.authorizationSealed, secret: row.secretSealed }[field]
  return sealed === null ? null : openField(openKeyring(env.KEY_ENCRYPTION_KEYS), id, field, sealed)
}

describe.each([
  { kind: 'webhook', slug: 'webhook', end: 'o', The: 'El webhook', limit: 5 },
  { kind: 'alert', slug: 'alerta', end: 'a', The: 'La alerta', limit: 20 },
] as const)('the pages of $kind', ({ kind, slug, end, The, limit }) => {
  it('show the secret once, the URL only for editing, and are never stored', async () => {
    const ana = await openPages(kind)
    expect((await ana.get()).text).toContain(`Todavía no tenés ${slug}s.`)
    const created = await ana.create({ autorizacion: 'Bearer del-receptor' })
    const secret = SECRET.exec(created.text)![0]
    expect(created.headers.get('Cache-Control')).toBe('no-store')
    const id = new RegExp(`${ana.root}/([0-9a-f-]{36})`).exec(created.text)![1]!
    expect(await opened(id, 'secret')).toBe(secret)
    expect(created.text).toContain(`whsec_${btoa(secret)}`)
    expect(await opened(id, 'authorization')).toBe('Bearer del-receptor')

    for (const path of ['', `/${id}`, `/${id}/editar`]) {
      const { text, headers } = await ana.get(path)
      expect(headers.get('Cache-Control')).toBe('no-store')
      expect(text).toMatch(/Dólar Blue/)
      expect(text).not.toContain(secret)
      expect(text).not.toContain('del-receptor')
      expect(text.includes('una-ruta')).toBe(path.endsWith('/editar'))
    }
  })

  it('create one subscription from a form sent twice, and show its secret once', async () => {
    const ana = await openPages(kind)
    const operacion = crypto.randomUUID()
    expect((await ana.create({ operacion })).text).toMatch(SECRET)
    const again = await ana.follow(await ana.create({ operacion }))
    expect(again).toContain('Su secreto no se muestra otra vez')
    expect(await count()).toBe(1)
    expect((await ana.create({ operacion: 'una' })).status).toBe(400)
  })

  it('pause, activate, test, edit, rotate and delete', async () => {
    await seedQuotes()
    const ana = await openPages(kind)
    const id = await ana.made({ autorizacion: 'Bearer uno' })
    const paused = await ana.post(`/${id}/pausar`, { version: '1' })
    expect(await ana.follow(paused)).toContain(`${The} quedó en pausa`)
    expect(await readWebhook(id)).toMatchObject({ state: 'manual', version: 2 })
    const activated = await ana.post(`/${id}/activar`, { version: '2' })
    expect(await ana.follow(activated)).toContain(`${The} quedó activad${end}`)
    expect(await readWebhook(id)).toMatchObject({ state: 'active', version: 3 })
    // The sweep makes the sync of a webhook.
    expect(ana.sent.splice(0)).toEqual(kind === 'webhook' ? [{ v: 1, sweep: true }] : [])
    const tested = await ana.post(`/${id}/probar`)
    expect(ana.sent).toEqual([{ v: 1, deliveryId: (await readDeliveries())[0]!.id }])
    expect(await ana.follow(tested)).toContain('Prueba: En espera.')

    const fields = { ...ana.fields, url: 'https://otro.example/', autorizacion: '' }
    const edited = await ana.post(`/${id}/editar`, { ...fields, version: '3' })
    expect(await ana.follow(edited)).toContain('Guardamos los cambios')
    expect(await readWebhook(id)).toMatchObject({ destination: 'https://otro.example' })
    expect(await opened(id, 'authorization')).toBe('Bearer uno')
    await ana.post(`/${id}/editar`, { ...fields, version: '4', quitar: 'si' })
    expect(await opened(id, 'authorization')).toBeNull()
    await ana.post(`/${id}/editar`, { ...fields, version: '5', autorizacion: 'Bearer dos' })
    expect(await opened(id, 'authorization')).toBe('Bearer dos')

    const rotated = await ana.post(`/${id}/rotar`, { version: '6' })
    expect(await opened(id, 'secret')).toBe(SECRET.exec(rotated.text)![0])
    expect((await ana.get(`/${id}`)).text).toContain('No hay vuelta atrás')
    const removed = await ana.post(`/${id}/borrar`, { version: '7' })
    expect(await ana.follow(removed)).toContain(`${The} quedó borrad${end}`)
    expect(await count()).toBe(0)
    for (const path of [id, `${id}/editar`, 'x'])
      expect((await ana.get(`/${path}`)).status).toBe(404)
  })

  it.each(['pausar', 'activar', 'editar', 'rotar', 'borrar'])(
    '%s from an old page changes nothing and says so',
    async (step) => {
      const ana = await openPages(kind)
      const id = await ana.made()
      await ana.post(`/${id}/pausar`, { version: '1' })
      const fields = { ...ana.fields, version: '1', url: 'https://otro.example/' }
      const { status, text } = await ana.post(`/${id}/${step}`, fields)
      expect(status).toBe(409)
      expect(text).toContain(`${The} cambió mientras tanto`)
      expect(text).not.toContain('otro.example')
      expect(await readWebhook(id)).toMatchObject({ version: 2, state: 'manual' })
      for (const version of ['', '-1', 'x', '9'.repeat(17)])
        expect((await ana.post(`/${id}/${step}`, { ...fields, version })).status).toBe(400)
    },
  )

  it.each([
    [{ url: 'https://127.0.0.1/x' }, 'La dirección'],
    [{ par: 'CLP/BLUE' }, 'El par de moneda y origen no existe'],
    [{ autorizacion: 'ñandú' }, 'La credencial'],
  ])('refuse %j and say why', async (fields, reason) => {
    const ana = await openPages(kind)
    const { status, text } = await ana.create(fields)
    expect(status).toBe(400)
    expect(text).toMatch(new RegExp(`role="alert"[^>]*>\\s*${reason}`))
    expect(await count()).toBe(0)
  })

  it('have no form at the limit, nor while admission is closed', async () => {
    const ana = await openPages(kind)
    const id = await ana.made()
    for (let made = 1; made < limit; made++) await ana.made()
    expect((await ana.create()).status).toBe(409)
    const { text } = await ana.get()
    expect(text).toContain(`Tenés ${limit} ${slug}s`)
    expect(text).not.toContain(`Crear ${slug}</button>`)

    const late = await openPages(kind, { WEBHOOK_ADMISSION: 'closed' })
    expect((await late.get()).text).toContain('están en preparación')
    await late.post(`/${id}/pausar`, { version: '1' })
    for (const step of ['', `/${id}/activar`, `/${id}/probar`]) {
      const fields = { ...late.fields, operacion: crypto.randomUUID(), version: '2' }
      const refused = await late.post(step, fields)
      expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '3600'])
      expect(refused.text).toContain('en preparación')
    }
    expect((await late.post(`/${id}/borrar`, { version: '2' })).status).toBe(303)
  })
})

/** A webhook with a dead delivery of the last hour, one five hours old and a confirmed one. */
async function arrange() {
  const ana = await openPages('webhook')
  const id = await ana.made()
  const now = Date.now()
  for (const hoursAgo of [5, 0.5])
    await insertDelivery(id, { status: 'dead', attempts: 4, createdAt: now - hoursAgo * HOUR })
  await insertDelivery(id, { status: 'delivered', attempts: 4, createdAt: now })
  const [old, recent, delivered] = await readDeliveries()
  return { ana, id, old: old!, recent: recent!, delivered: delivered! }
}

it('redelivering sends one delivery again', async () => {
  const { ana, id, delivered } = await arrange()
  const path = `/${id}/entregas/${delivered.deliveryId}/reenviar`
  const page = await ana.follow(await ana.post(path))
  expect(ana.sent).toEqual([{ v: 1, deliveryId: delivered.id }])
  expect(page).toContain('La entrega sale otra vez.')
  expect(page).toContain('Reenviada')
  expect((await ana.post(path)).text).toContain('La entrega está en curso')
})

it.each([
  ['1', 1],
  ['6', 2],
  ['x', 1],
])(
  'redelivering the last “%s” hours sends the deliveries that did not arrive: %s',
  async (desde, count) => {
    const { ana, id, old, recent } = await arrange()
    const page = await ana.follow(await ana.post(`/${id}/reenviar`, { desde }))
    expect(ana.sent).toEqual([{ v: 1, deliveryId: count === 2 ? old.id : recent.id }])
    expect(page).toContain('Las entregas que no llegaron salen otra vez, en orden.')
    expect(page.match(/Reenviada/g)).toHaveLength(count)
  },
)

it('redelivering is not offered while paused', async () => {
  const { ana, id } = await arrange()
  expect((await ana.get(`/${id}`)).text.match(/\/reenviar"/g)).toHaveLength(4)
  await ana.post(`/${id}/pausar`, { version: '1' })
  expect((await ana.get(`/${id}`)).text).not.toContain('/reenviar"')
  expect((await ana.post(`/${id}/reenviar`)).text).toContain('hay que activar antes')
  expect(ana.sent).toEqual([])
})

it('the page of a webhook says why no test can be sent, and follows a test by its status', async () => {
  const ana = await openPages('webhook')
  const id = await ana.made()
  expect((await ana.post(`/${id}/probar`)).text).toContain('Todavía no tenemos esa cotización')
  await seedQuote('usd/blue', 1400, 1450)
  const tested = await ana.post(`/${id}/probar`)
  for (const [state, words] of [
    ["'failed', code = 500, error_type = 'http'", 'Último error: el receptor no respondió 2xx'],
    ["'dead', code = 500, error_type = 'http'", 'Motivo: el receptor no respondió 2xx (HTTP 500)'],
    ["'delivered', code = 204, error_type = null", 'El receptor respondió HTTP 204.'],
  ] as const) {
    await env.DB.prepare(`update deliveries set attempts = 1, status = ${state}`).run()
    expect(await ana.follow(tested)).toContain(words)
  }
})

it('the page of a webhook shows its state', async () => {
  const ana = await openPages('webhook')
  const accountId = await onlyAccount()
  const words = [
    ['active', true, 'Le avisamos cada vez que cambia'],
    ['manual', false, 'Activalo cuando quieras'],
    ['failure', false, 'Diez intentos automáticos seguidos fallaron'],
    ['capacity', true, 'No tenés que hacer nada'],
    ['inherited', false, 'Vino de la versión anterior'],
  ] as const
  for (const [state, enabled, text] of words) {
    const id = await seedWebhook({ accountId, state })
    const page = (await ana.get(`/${id}`)).text
    expect(page).toContain(text)
    expect(page).toContain(enabled ? 'Pausar' : 'Activar')
  }
  const list = (await ana.get()).text
  for (const [, , text] of words) expect(list).toContain(text)
  await seedWebhook({ accountId, sync: 'made' })
  expect((await ana.get()).text).toContain('Todavía falta que el receptor confirme')
})

it('the page of a webhook lists the last deliveries, masked, a page at a time', async () => {
  const ana = await openPages('webhook')
  const id = await ana.made()
  for (let index = 0; index < 12; index++)
    await insertDelivery(id, {
      host: 'receptor.example',
      status: 'dead',
      attempts: 4,
      code: 400 + index,
      errorType: 'http',
      lastAttemptAt: Date.UTC(2026, 2, 2, 15),
      body: '{"secreto":"cuerpo"}',
    })
  await insertDelivery('other', { code: 599 })

  const { text } = await ana.get(`/${id}`)
  expect(text.match(/HTTP 4\d\d/g)).toHaveLength(10)
  for (const shown of [
    'HTTP 411',
    'No se pudo entregar',
    'el receptor no respondió 2xx',
    '4 intentos, el último',
    '02/03/2026 12:00:00',
    'https://receptor.example/***',
  ])
    expect(text).toContain(shown)
  for (const hidden of ['una-ruta', 'cuerpo', 'HTTP 599']) expect(text).not.toContain(hidden)

  const older = /\?desde=(\d+)/.exec(text)![1]
  const next = (await ana.get(`/${id}?desde=${older}`)).text
  expect(next.match(/HTTP 4\d\d/g)).toEqual(['HTTP 401', 'HTTP 400'])
  expect((await ana.get(`/${id}?desde=999999`)).status).toBe(404)
})

it('the pages of alerts make one by e-mail, show it in words, and ask for a secret once it goes by webhook', async () => {
  await seedQuotes()
  const ana = await openPages('alert')
  const created = await ana.create({ canal: 'email', umbral: '1.500,50' })
  const page = await ana.follow(created)
  expect(page).toContain('La alerta quedó creada')
  for (const shown of ['Ahora Dólar Blue (venta) está en $ 1.430,00.', 'Por correo'])
    expect(page).toContain(shown)
  expect(page).not.toContain('Rotar el secreto')
  expect((await ana.get()).text).toContain('Dólar Blue (venta) llega a $ 1.500,50 o más')

  const id = /alertas\/([^?]+)/.exec(created.location!)![1]!
  expect((await ana.get(`/${id}/editar`)).text).toMatch(/name="umbral"[^>]* value="1\.500,50"/)
  await changeRows('alerts', { mailDroppedAt: art('2026-03-02 12:05') }, { id })
  expect((await ana.get(`/${id}`)).text).toContain('El 02/03/2026 12:05 descartamos avisos')
  expect((await ana.post(`/${id}/probar`)).location).toMatch(/aviso=alerta-probada$/)
  const edited = await ana.post(`/${id}/editar`, { ...ana.fields, version: '1' })
  expect(await ana.follow(edited)).toContain('Rotá su secreto')
  const again = await ana.post(`/${id}/editar`, { ...ana.fields, version: '2', umbral: '1400' })
  const met = await ana.follow(again)
  expect(met).toContain('Guardamos los cambios de la alerta.')
  expect(met).toContain('La condición ya se cumplía')
})

it('the pages of alerts offer e-mail only where mail can be sent, or to an alert that already uses it', async () => {
  const ana = await openPages('alert')
  const id = await ana.made({ canal: 'email' })
  const mute = await openPages('alert', { MAIL_FROM: '' })
  const OFFER = 'Por correo, a la dirección de tu cuenta'

  expect((await ana.get()).text).toContain(OFFER)
  expect((await mute.get()).text).not.toContain(OFFER)
  expect((await mute.create({ canal: 'email' })).status).toBe(503)
  expect((await mute.get(`/${id}/editar`)).text).toContain(OFFER)
  await ana.post(`/${id}/editar`, { ...ana.fields, version: '1' })
  expect((await ana.get(`/${id}/editar`)).text).toContain(OFFER)
  expect((await mute.get(`/${id}/editar`)).text).not.toContain(OFFER)
})

it('the pages of alerts refuse a threshold that is no number, and keep what was typed', async () => {
  const ana = await openPages('alert')
  const { status, text } = await ana.create({ umbral: '1.50,00', lado: 'buy' })
  expect(status).toBe(400)
  expect(text).toContain('El umbral debe ser mayor que 0')
  expect(text).toMatch(/<option value="buy" selected/)
  expect(await count()).toBe(0)
})
