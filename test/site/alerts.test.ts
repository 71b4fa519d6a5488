import { beforeAll, describe, expect, it } from 'vitest'
import { change } from '../support/alerts.ts'
import { FIELDS_OF, openPages, URL_OF_RECEIVER as URL } from '../support/subscription-pages.ts'
import { openSite } from '../support/site.ts'
import { readDeliveries } from '../support/webhooks.ts'

beforeAll(() => openSite().fetch('/cuenta/entrar'), 60_000)

const ROOT = '/cuenta/alertas'
const SECRET = /[0-9a-f]{64}/

const signedIn = (options?: Parameters<typeof openPages>[1]) => openPages('alert', options)

const now = Date.now()
const seedQuotes = () => change({ 'USD/BLUE': 1430, 'USD/OFICIAL': 1400 }, now - 60_000)

describe('the alert pages', () => {
  it('make one by e-mail, and show it in words', async () => {
    await seedQuotes()
    const ana = await signedIn()
    expect((await ana.get()).text).toContain('Todavía no tenés alertas.')

    const id = await ana.made({ umbral: '1500.5' })

    const { text } = await ana.get()
    expect(text).toContain('Dólar Blue (venta) llega a $ 1.500,50 o más')
    expect(text).toContain('1 de 20')
    const page = await ana.get(`/${id}?aviso=alerta-creada`)
    expect(page.text).toContain('La alerta quedó creada')
    expect(page.text).toContain('Ahora Dólar Blue (venta) está en $ 1.430,00.')
    expect(page.text).toContain('Por correo')
    expect(page.text).not.toContain('Rotar el secreto')
  })

  it('make one by webhook, whose secret is shown once', async () => {
    await seedQuotes()
    const ana = await signedIn()

    const created = await ana.create({ canal: 'webhook', url: URL })

    expect(created.status).toBe(200)
    const [secret] = SECRET.exec(created.text)!
    const id = /alertas\/([0-9a-f-]{36})/.exec(created.text)![1]!
    const page = await ana.get(`/${id}`)
    expect(page.text).toContain('https://receptor.example/***')
    expect(page.text).not.toContain(secret)
    expect(page.text).not.toContain('una-clave')
    expect((await ana.get(`/${id}/editar`)).text).toContain('una-clave')
  })

  it('make one of one form, however often it is sent', async () => {
    const ana = await signedIn()
    const operacion = crypto.randomUUID()
    await ana.create({ operacion })
    await ana.create({ operacion })

    expect((await ana.get()).text).toContain('1 de 20')
  })

  it('say that a form sent again shows no secret again', async () => {
    const ana = await signedIn()
    const fields = { operacion: crypto.randomUUID(), canal: 'webhook', url: URL }
    await ana.create(fields)

    const again = await ana.create(fields)
    expect(again.location).toMatch(/aviso=alerta-ya-creada$/)
    const { text } = await ana.get(again.location!.slice(ROOT.length))
    expect(text).toContain('La alerta ya estaba creada.')
    expect(text).not.toContain('por correo')
  })

  it('say that one by e-mail that goes by webhook needs a secret', async () => {
    const ana = await signedIn()
    const id = await ana.made()
    const edit = { ...FIELDS_OF.alert, version: '1', canal: 'webhook', url: URL }

    const { location } = await ana.post(`/${id}/editar`, edit)
    expect((await ana.get(location!.slice(ROOT.length))).text).toContain('Rotá su secreto')

    const again = await ana.post(`/${id}/editar`, { ...edit, version: '2' })
    expect(again.location).toMatch(/aviso=alerta-guardada$/)
  })

  it('offer no e-mail where no mail can be sent, except to those that go by it', async () => {
    const ana = await signedIn()
    const id = await ana.made()
    const mute = await signedIn({ env: { MAIL_FROM: '' } })
    const OFFER = 'Por correo, a la dirección de tu cuenta'

    expect((await ana.get()).text).toContain(OFFER)
    expect((await mute.get()).text).not.toContain(OFFER)
    expect((await mute.create()).status).toBe(503)
    expect((await mute.get(`/${id}/editar`)).text).toContain(OFFER)
    await ana.post(`/${id}/editar`, {
      ...FIELDS_OF.alert,
      canal: 'webhook',
      url: URL,
      version: '1',
    })
    expect((await ana.get(`/${id}/editar`)).text).toContain(OFFER)
    expect((await mute.get(`/${id}/editar`)).text).not.toContain(OFFER)
  })

  it.each([
    [{ umbral: '' }, 'El umbral debe ser mayor que 0'],
    [{ umbral: '-3' }, 'El umbral debe ser mayor que 0'],
    [{ umbral: 'mucho' }, 'El umbral debe ser mayor que 0'],
    [{ umbral: '1500.123' }, 'con hasta 2 decimales'],
    [{ histeresis: '1500' }, 'La histéresis debe ser'],
    [{ par: 'USD/NADA' }, 'El par de moneda y origen no existe'],
    [
      { condicion: 'gap', umbral: '5', histeresis: '0', contra: 'EUR/BLUE' },
      'Solo se comparan dos precios',
    ],
    [{ canal: 'webhook', url: 'http://receptor.example/' }, 'https://'],
    [{ canal: 'webhook', url: URL, autorizacion: ' x' }, 'La credencial tiene que ser'],
  ])('refuse %j, and keep what was typed', async (fields, problem) => {
    const ana = await signedIn()

    const { status, text } = await ana.create({ umbral: '1234.5', histeresis: '7', ...fields })

    expect(status).toBe(400)
    expect(text).toContain(problem)
    expect(text).toContain('role="alert"')
    if (!('histeresis' in fields)) expect(text).toContain('value="7"')
    expect((await ana.get()).text).toContain('0 de 20')
  })

  it('pause, activate, test, edit, rotate and delete', async () => {
    await seedQuotes()
    const ana = await signedIn()
    const created = await ana.create({ canal: 'webhook', url: URL })
    const id = /alertas\/([0-9a-f-]{36})/.exec(created.text)![1]!

    expect((await ana.post(`/${id}/pausar`, { version: '1' })).location).toBe(
      `${ROOT}/${id}?aviso=alerta-pausada`,
    )
    expect((await ana.get(`/${id}`)).text).toContain('En pausa')
    expect((await ana.post(`/${id}/pausar`, { version: '1' })).status).toBe(409)
    expect((await ana.post(`/${id}/activar`, { version: '2' })).status).toBe(303)

    const tested = await ana.post(`/${id}/probar`)
    const [delivery] = await readDeliveries()
    expect(tested.location).toBe(`${ROOT}/${id}?prueba=${delivery!.deliveryId}`)
    expect(ana.sent).toHaveLength(1)
    expect((await ana.get(`/${id}?prueba=${delivery!.deliveryId}`)).text).toContain(
      'Prueba: En espera.',
    )

    const edit = { ...FIELDS_OF.alert, canal: 'webhook', url: URL, version: '3', umbral: '1400' }
    expect((await ana.post(`/${id}/editar`, { ...edit, version: '2' })).status).toBe(409)
    expect((await ana.post(`/${id}/editar`, edit)).status).toBe(303)
    expect((await ana.get(`/${id}`)).text).toContain('La condición ya se cumplía')

    const rotated = await ana.post(`/${id}/rotar`, { version: '4' })
    expect(rotated.text).toMatch(SECRET)
    expect((await ana.get(`/${id}/borrar`)).text).toContain('No hay vuelta atrás')
    expect((await ana.post(`/${id}/borrar`, { version: '5' })).location).toBe(
      `${ROOT}?aviso=alerta-borrada`,
    )
    expect((await ana.get(`/${id}`)).status).toBe(404)
  })

  it('say so while admission is closed', async () => {
    const ana = await signedIn({ env: { WEBHOOK_ADMISSION: 'closed' } })

    expect((await ana.get()).text).toContain('Las alertas están en preparación')
    expect((await ana.create()).status).toBe(503)
  })
})
