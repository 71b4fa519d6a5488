import { beforeAll, describe, expect, it } from 'vitest'
import { openField } from '../../shared/subscriptions/sealed-fields.ts'
import { openKeyring } from '../../shared/crypto/keyring.ts'
import { env } from '../support/env.ts'
import { openPages } from '../support/subscription-pages.ts'
import { openSite } from '../support/site.ts'
import {
  readDeliveries,
  readWebhook,
  seedDelivery,
  seedQuote,
  seedWebhook,
  setOutstanding,
} from '../support/webhooks.ts'
import { countRows } from '../support/rows.ts'

beforeAll(() => openSite().fetch('/cuenta/entrar'), 60_000)

const ROOT = '/cuenta/webhooks'
const SECRET = /[0-9a-f]{64}/

const signedIn = (options?: Parameters<typeof openPages>[1]) => openPages('webhook', options)

const count = () => countRows('subscriptions')
const accountId = (email = 'ana@ejemplo.com.ar') =>
  env.DB.prepare('select id from accounts where email = ?').bind(email).first<string>('id')

const setDeliveries = (set: string) => env.DB.prepare(`update deliveries set ${set}`).run()

async function opened(id: string, field: 'url' | 'authorization' | 'secret') {
  const row = await readWebhook(id)
  const sealed = {
    url: row.urlSealed,
    authorization: row.authorizationSealed,
    secret: row.secretSealed,
  }
  const keyring = openKeyring(env.KEY_ENCRYPTION_KEYS)
  return sealed[field] === null ? null : openField(keyring, id, field, sealed[field])
}

it('the host that people come to is no destination', async () => {
  const { create } = await signedIn()
  const refused = await create({ url: 'https://cotizaciones.test/hook' })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('La URL no puede apuntar a este mismo servicio')
})

describe('creating', () => {
  it('shows the secret once, on a page that is never stored', async () => {
    const ana = await signedIn()
    const created = await ana.create({ autorizacion: 'Bearer del-receptor' })
    const secret = SECRET.exec(created.text)![0]
    expect(created.headers.get('Cache-Control')).toBe('no-store')

    const id = /webhooks\/([0-9a-f-]{36})/.exec(created.text)![1]!
    expect(await readWebhook(id)).toMatchObject({ state: 'active', pair: 3, version: 1 })
    expect(await opened(id, 'secret')).toBe(secret)
    expect(created.text).toContain(`whsec_${btoa(secret)}`)
    expect(await opened(id, 'authorization')).toBe('Bearer del-receptor')

    for (const path of ['', `/${id}`, `/${id}/editar`, `/${id}/rotar`, `/${id}/borrar`]) {
      const { text, headers } = await ana.get(path)
      expect(headers.get('Cache-Control')).toBe('no-store')
      expect(text).toContain('USD/BLUE')
      expect(text).not.toContain(secret)
      expect(text).not.toContain('del-receptor')
      expect(text.includes('una-ruta')).toBe(path.endsWith('/editar'))
    }
  })

  it('the same form twice makes one, and shows no secret again', async () => {
    const ana = await signedIn()
    const operacion = crypto.randomUUID()
    const answers = await Promise.all([1, 2, 3].map(() => ana.create({ operacion })))

    expect(answers.filter(({ text }) => SECRET.test(text))).toHaveLength(1)
    const again = answers.filter(({ location }) => location?.endsWith('?aviso=webhook-ya-creado'))
    expect(again).toHaveLength(2)
    expect((await ana.get(again[0]!.location!.slice(ROOT.length))).text).toContain(
      'El webhook ya está creado. Su secreto no se muestra otra vez',
    )
    expect(await count()).toBe(1)
  })

  it('stops at five, paused ones counted, even when ten come at once', async () => {
    const ana = await signedIn()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ana.create({ pausado: 'si' })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array<number>(5).fill(200),
      ...Array<number>(5).fill(409),
    ])
    expect(await count()).toBe(5)
    const { text } = await ana.get()
    expect(text).toContain('Tenés 5 webhooks')
    expect(text).not.toContain('Crear webhook</button>')
  })

  it.each([
    ['a private address', { url: 'https://127.0.0.1/x' }, 'La dirección'],
    ['plain HTTP', { url: 'http://receptor.example/' }, 'La URL'],
    ['a pair of none', { par: 'CLP/BLUE' }, 'El par de moneda y origen no existe'],
    ['no pair', { par: '' }, 'El par de moneda y origen no existe'],
    ['a credential that no header carries', { autorizacion: 'ñandú' }, 'La credencial'],
    ['a credential that is too long', { autorizacion: 'a'.repeat(2049) }, 'La credencial'],
  ])('is refused for %s, and says why', async (_, fields, reason) => {
    const ana = await signedIn()
    const { status, text } = await ana.create(fields)

    expect(status).toBe(400)
    expect(text).toMatch(new RegExp(`role="alert"[^>]*>\\s*${reason}`))
    expect(await count()).toBe(0)
  })

  it.each(['', 'una', 'AAAAAAAA-0000-4000-8000-00000000000A'])(
    'is refused for the operation "%s"',
    async (operacion) => {
      expect((await (await signedIn()).create({ operacion })).status).toBe(400)
      expect(await count()).toBe(0)
    },
  )

  it.each(['"><script>alert(1)</script>', "'><img src=x onerror=alert(1)>", '${7*7}'])(
    'shows what was typed, %s, as text',
    async (url) => {
      const { text } = await (await signedIn()).create({ url, par: url })
      expect(text).not.toContain('<script>alert')
      expect(text).not.toContain('<img')
    },
  )
})

describe('changing', () => {
  it('pauses, activates with the current value, and edits', async () => {
    await seedQuote('usd/blue', 1400, 1450)
    const ana = await signedIn()
    const id = await ana.made({ autorizacion: 'Bearer uno' })

    const paused = await ana.post(`/${id}/pausar`, { version: '1' })
    expect(paused.location).toBe(`${ROOT}/${id}?aviso=webhook-pausado`)
    expect(await readWebhook(id)).toMatchObject({ state: 'manual', version: 2 })
    const page = await ana.get(`/${id}?aviso=webhook-pausado`)
    expect(page.text).toContain('El webhook quedó en pausa')
    expect(page.text).toContain('Activar')

    await ana.post(`/${id}/activar`, { version: '2' })
    expect(await readWebhook(id)).toMatchObject({ state: 'active', version: 3, needsSync: true })
    expect(await readDeliveries()).toMatchObject([{ type: 'sync', status: 'pending' }])
    expect(ana.sent).toEqual([{ v: 1, deliveryId: (await readDeliveries())[0]!.id }])

    const fields = { version: '3', par: 'EUR/BNA', url: 'https://otro.example/', autorizacion: '' }
    const edited = await ana.post(`/${id}/editar`, fields)
    expect(edited.location).toBe(`${ROOT}/${id}?aviso=webhook-guardado`)
    expect(await readWebhook(id)).toMatchObject({ pair: 11, destination: 'https://otro.example' })
    expect(await opened(id, 'authorization')).toBe('Bearer uno')

    await ana.post(`/${id}/editar`, { ...fields, version: '4', quitar: 'si' })
    expect(await opened(id, 'authorization')).toBeNull()
    await ana.post(`/${id}/editar`, { ...fields, version: '5', autorizacion: 'Bearer dos' })
    expect(await opened(id, 'authorization')).toBe('Bearer dos')
  })

  it('rotates with a secret shown once, and not while a send is in flight', async () => {
    const ana = await signedIn()
    const id = await ana.made()
    const old = await opened(id, 'secret')
    const rotated = await ana.post(`/${id}/rotar`, { version: '1' })
    const secret = SECRET.exec(rotated.text)![0]
    expect(secret).not.toBe(old)
    expect(await opened(id, 'secret')).toBe(secret)

    const leaseUntil = ana.site.clock.now + 20_000
    await seedDelivery({ subscriptionId: id, status: 'sending', leaseUntil })
    const refused = await ana.post(`/${id}/rotar`, { version: '2' })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('Hay un envío en curso')
    expect(await opened(id, 'secret')).toBe(secret)
  })

  it('deletes after asking, deliveries and all', async () => {
    const ana = await signedIn()
    const id = await ana.made()
    await seedDelivery({ subscriptionId: id, accountId: (await accountId())! })
    expect((await ana.get(`/${id}/borrar`)).text).toContain('No hay vuelta atrás')
    expect(await count()).toBe(1)

    const removed = await ana.post(`/${id}/borrar`, { version: '1' })
    expect(removed.location).toBe(`${ROOT}?aviso=webhook-borrado`)
    expect(await count()).toBe(0)
    expect(await readDeliveries()).toEqual([])
    expect((await ana.get(`/${id}`)).status).toBe(404)
  })

  it.each(['pausar', 'activar', 'editar', 'rotar', 'borrar'])(
    '%s from an old page changes nothing and says so',
    async (step) => {
      const ana = await signedIn()
      const id = await ana.made()
      await ana.post(`/${id}/pausar`, { version: '1' })
      const fields = { version: '1', par: 'USD/BNA', url: 'https://otro.example/' }
      const { status, text } = await ana.post(`/${id}/${step}`, fields)

      expect(status).toBe(409)
      expect(text).toContain('El webhook cambió mientras tanto')
      expect(text).not.toContain('otro.example')
      expect(await readWebhook(id)).toMatchObject({ version: 2, pair: 3, state: 'manual' })

      for (const version of ['', '-1', 'x', '9'.repeat(17)])
        expect((await ana.post(`/${id}/${step}`, { ...fields, version })).status).toBe(400)
    },
  )

  it('activates no sixth', async () => {
    const ana = await signedIn()
    const account = (await accountId())!
    const all = []
    for (let index = 0; index < 5; index++) all.push(await seedWebhook({ accountId: account }))
    const { id } = await seedWebhook({ accountId: account, state: 'inherited', enabled: false })
    const { status, text } = await ana.post(`/${id}/activar`, { version: '1' })

    expect(status).toBe(409)
    expect(text).toContain('La cuenta llegó al límite de 5 webhooks')
    expect(await readWebhook(id!)).toMatchObject({ state: 'inherited', version: 1 })
  })
})

describe('redelivering', () => {
  const HOUR = 60 * 60 * 1000

  /** A webhook with a dead delivery of the last hour, one of five hours ago and a delivered one. */
  async function arrange() {
    const ana = await signedIn()
    const id = await ana.made()
    const now = Date.now()
    const own = { subscriptionId: id, accountId: (await accountId())!, attempts: 4 }
    for (const hoursAgo of [5, 0.5])
      await seedDelivery({ ...own, status: 'dead', createdAt: now - hoursAgo * HOUR })
    await seedDelivery({ ...own, status: 'delivered', createdAt: now })
    const [old, recent, delivered] = await readDeliveries()
    return { ana, id, old: old!, recent: recent!, delivered: delivered! }
  }

  it('one sends it again', async () => {
    const { ana, id, delivered } = await arrange()
    const path = `/${id}/entregas/${delivered.deliveryId}/reenviar`
    const { status, location } = await ana.post(path)
    expect(status).toBe(303)
    expect(ana.sent).toEqual([{ v: 1, deliveryId: delivered.id }])
    const page = await ana.get(location!.slice(ROOT.length).replace('#entregas', ''))
    expect(page.text).toContain('Una entrega sale otra vez.')

    const again = await ana.post(path)
    expect(again.status).toBe(409)
    expect(again.text).toContain('La entrega está en curso')
    const gone = await ana.post(`/${id}/entregas/019cae55-2c00-7000-8000-000000000000/reenviar`)
    expect(gone.status).toBe(404)
    expect(gone.text).toContain('Entrega no encontrada')
  })

  it.each([
    ['1', 1, 'Una entrega sale otra vez.'],
    ['6', 2, '2 entregas salen otra vez.'],
    ['x', 1, 'Una entrega sale otra vez.'],
  ])('what did not arrive in the last %s hours sends %s', async (desde, count, words) => {
    const { ana, id, old, recent } = await arrange()
    const { status, location } = await ana.post(`/${id}/reenviar`, { desde })
    expect(status).toBe(303)
    const first = count === 2 ? old.id : recent.id
    expect(ana.sent).toEqual([{ v: 1, deliveryId: first }])
    expect((await ana.get(location!.slice(ROOT.length).replace('#entregas', ''))).text).toContain(
      words,
    )
    const nothing = await ana.post(`/${id}/reenviar`, { desde: '1' })
    expect(nothing.location).toContain('reenviadas=0')
  })

  it('is refused while paused, and takes no text from the address', async () => {
    const { ana, id, recent } = await arrange()
    await ana.post(`/${id}/pausar`, { version: '1' })
    for (const path of ['reenviar', `entregas/${recent.deliveryId}/reenviar`]) {
      const refused = await ana.post(`/${id}/${path}`)
      expect(refused.status).toBe(409)
      expect(refused.text).toContain('hay que activar antes')
    }
    expect(ana.sent).toEqual([])
    const { text } = await ana.get(`/${id}?reenviadas=%3Cb%3E1&quedan=1`)
    expect(text).not.toContain('otra vez')
  })
})

describe('a test', () => {
  it('is queued, hinted, and followed by its status', async () => {
    await seedQuote('usd/blue', 1400, 1450)
    const ana = await signedIn()
    const id = await ana.made()
    const { status, location } = await ana.post(`/${id}/probar`)
    const [row] = await readDeliveries()
    expect(status).toBe(303)
    expect(location).toBe(`${ROOT}/${id}?prueba=${row!.deliveryId}`)
    expect(ana.sent).toEqual([{ v: 1, deliveryId: row!.id }])

    const show = async () => (await ana.get(location!.slice(ROOT.length))).text
    expect(await show()).toContain('Prueba: En espera.')
    await setDeliveries(`status = 'failed', code = 500, error_type = 'http', attempts = 1`)
    expect(await show()).toContain('Motivo: el receptor no respondió 2xx (HTTP 500).')
    await setDeliveries(`status = 'delivered', code = 204, error_type = null`)
    expect(await show()).toContain('El receptor respondió HTTP 204.')
  })

  it('is refused without a quote, and without capacity', async () => {
    const ana = await signedIn()
    const id = await ana.made()
    const early = await ana.post(`/${id}/probar`)
    expect(early.status).toBe(409)
    expect(early.text).toContain('Todavía no tenemos esa cotización')

    await seedQuote('usd/blue', 1400, 1450)
    await setOutstanding(Number(env.DELIVERY_CAPACITY))
    const full = await ana.post(`/${id}/probar`)
    expect(full.status).toBe(503)
    expect(full.headers.get('Retry-After')).toBe('60')
    expect(full.text).toContain('La capacidad de envíos está agotada')
    expect(await readDeliveries()).toEqual([])
  })
})

describe('while admission is closed', () => {
  it('nothing is created, activated or tested; the rest works', async () => {
    await seedQuote('usd/blue', 1400, 1450)
    const ana = await signedIn({ env: { WEBHOOK_ADMISSION: 'closed' } })
    const { id } = await seedWebhook({ accountId: (await accountId())!, urlSealed: 'lost' })
    await ana.post(`/${id}/pausar`, { version: '1' })
    expect(await readWebhook(id)).toMatchObject({ state: 'manual', version: 2 })

    for (const refused of [
      await ana.create(),
      await ana.post(`/${id}/activar`, { version: '2' }),
      await ana.post(`/${id}/probar`),
    ]) {
      expect(refused.status).toBe(503)
      expect(refused.headers.get('Retry-After')).toBe('3600')
      expect(refused.text).toContain('en preparación')
    }
    expect((await ana.get()).text).toContain('Los webhooks están en preparación')
    expect((await ana.post(`/${id}/rotar`, { version: '2' })).text).toMatch(SECRET)
    expect((await ana.post(`/${id}/borrar`, { version: '3' })).status).toBe(303)
    expect(await count()).toBe(0)
  })
})

describe('the pages say', () => {
  it.each([
    ['active', true, 'Le avisamos cada vez que cambia'],
    ['manual', false, 'Activalo cuando quieras'],
    ['failure', false, 'Diez intentos automáticos seguidos fallaron'],
    ['capacity', true, 'No tenés que hacer nada'],
    ['inherited', false, 'Vino de la versión anterior'],
  ] as const)('why a webhook is in %s', async (state, enabled, words) => {
    const ana = await signedIn()
    const { id } = await seedWebhook({ accountId: (await accountId())!, state, enabled })

    for (const path of ['', `/${id}`]) expect((await ana.get(path)).text).toContain(words)
    expect((await ana.get(`/${id}`)).text).toContain(enabled ? 'Pausar' : 'Activar')
  })

  it('that the current value is still owed', async () => {
    const ana = await signedIn()
    await seedWebhook({ accountId: (await accountId())!, needsSync: true })
    expect((await ana.get()).text).toContain('Todavía falta que el receptor confirme')
  })

  it('that a delivery was redelivered, and the page has a button while the webhook is on', async () => {
    const ana = await signedIn()
    const id = await ana.made()
    const account = (await accountId())!
    const own = { subscriptionId: id, accountId: account, lastAttemptAt: Date.UTC(2026, 2, 2, 15) }
    await seedDelivery({ ...own, status: 'delivered', attempts: 5, redelivery: 'alone' })
    await seedDelivery({ ...own, status: 'pending' })
    const { text } = await ana.get(`/${id}`)
    expect(text).toContain('Reenviada')
    expect(text.match(/\/reenviar"/g)).toHaveLength(2)

    await ana.post(`/${id}/pausar`, { version: '1' })
    expect((await ana.get(`/${id}`)).text).not.toContain('/reenviar"')
  })

  it('the last deliveries, masked, a page at a time', async () => {
    const ana = await signedIn()
    const id = await ana.made()
    const account = (await accountId())!
    for (let index = 0; index < 12; index++)
      await seedDelivery({
        subscriptionId: id,
        accountId: account,
        status: 'dead',
        attempts: 4,
        code: 400 + index,
        errorType: 'http',
        lastAttemptAt: Date.UTC(2026, 2, 2, 15),
        body: '{"secreto":"cuerpo"}',
      })
    await seedDelivery({ subscriptionId: 'other', accountId: account, code: 599 })

    const { text } = await ana.get(`/${id}`)
    expect(text.match(/HTTP 4\d\d/g)).toHaveLength(10)
    expect(text).toContain('HTTP 411')
    expect(text).toContain('No se pudo entregar')
    expect(text).toContain('el receptor no respondió 2xx')
    expect(text).toContain('4 intentos, el último')
    expect(text).toContain('2/3/2026, 12:00:00')
    expect(text).toContain('https://receptor.example/***')
    for (const hidden of ['una-ruta', 'cuerpo', 'HTTP 599']) expect(text).not.toContain(hidden)

    const older = /\?desde=(\d+)/.exec(text)![1]
    const next = (await ana.get(`/${id}?desde=${older}`)).text
    expect(next.match(/HTTP 4\d\d/g)).toEqual(['HTTP 401', 'HTTP 400'])
    expect((await ana.get(`/${id}?desde=999999`)).status).toBe(404)
  })
})
