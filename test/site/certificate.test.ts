import { beforeEach, describe, expect, it } from 'vitest'
import { sha256 } from '../../shared/crypto/sha256.ts'
import { replacePoint } from '../../shared/db/quotes/corrections.ts'
import { readDayFile } from '../../shared/db/quotes/day-files.ts'
import { findPairByKey } from '../../shared/market/catalog.ts'
import { env } from '../support/env.ts'
import { failing } from '../support/failing-database.ts'
import { art } from '../support/instant.ts'
import { seedOnce } from '../support/open-database.ts'
import { build, nightAfter, published, seedDays } from '../support/record.ts'
import { aBoardQuote, seedBoard } from '../support/seed.ts'
import { openSite } from '../support/site.ts'

const NOON = art('2026-03-04 12:00')
const PAGE = '/constancia/usd/blue/2026-03-02'

const get = (path: string, site = openSite()) => {
  site.clock.now = NOON
  return site.fetch(path)
}
const plain = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/[\s\u00a0]+/g, ' ')
const textOf = async (path: string) => plain(await (await get(path)).text())

beforeEach(async () => {
  await seedBoard(NOON, { quotes: [aBoardQuote('USD/BLUE')] })
  await seedDays(
    ['2026-03-01 11:00', 1410, 1430],
    ['2026-03-02 10:00', 1415, 1435],
    ['2026-03-02 16:00', 1420, 1440],
  )
})

describe('a printed page of a night that is published', () => {
  beforeEach(() =>
    seedOnce('two nights of a value that moved', async () => {
      await build(nightAfter('2026-03-02'))
      await build(nightAfter('2026-03-03'))
    }),
  )

  it('says the value, since when, its source, what proves it, and what that is not', async () => {
    const response = await get(PAGE)
    expect(response.status).toBe(200)
    expect(response.headers.get('Cache-Control')).toBe('private, no-cache')
    const page = await response.text()
    const { record } = await published()
    const sum = await sha256(await readDayFile(env.DB, '2026-03-02'))
    for (const link of [
      '/datos/dias/2026-03-02.csv',
      '/datos/manifiestos/2026-03-03.json',
      `${PAGE}?huella=${sum}`,
    ])
      expect(page).toContain(`href="${link}"`)
    for (const hash of [sum, record!.sha256, record!.key])
      expect(page).toContain(`<code>${hash}</code>`)
    for (const words of [
      'Dólar Blue, venta $ 1.440,00',
      'Cotización USD/BLUE',
      'Vigente al 2 de marzo de 2026, final del día (hora argentina)',
      'Compra $ 1.420,00',
      'Rige desde 02/03/2026 16:00',
      'Fuente test',
      'Emitida 04/03/2026 12:00',
      'Correcciones de ese día Ninguna a mano.',
      'Prueba que este servicio publicó este valor',
      'No prueba que alguien haya operado a ese precio',
    ])
      expect(plain(page)).toContain(words)
    expect(page).toContain('content="noindex"')
    expect(page).toContain('certificate.css')
    expect(page).not.toContain('<script')
  })

  it.each([
    ['?hora=12:00', '$ 1.435,00', '2 de marzo de 2026, 12:00 (hora argentina)'],
    ['?hora=09:59:59', '$ 1.430,00', 'Rige desde 01/03/2026 11:00'],
    ['?hora=', '$ 1.440,00', 'final del día'],
  ])('says what was in effect at the hour that is asked: %s', async (query, value, words) => {
    const text = await textOf(PAGE + query)
    expect(text).toContain(value)
    expect(text).toContain(words)
  })

  it('a week later says whether it is still so, and after a correction when and why it is not', async () => {
    const sum = await sha256(await readDayFile(env.DB, '2026-03-02'))
    const check = `${PAGE}?hora=12%3A00&huella=${sum}`
    expect(await (await get(`${PAGE}?hora=12:00`)).text()).toContain(
      `href="${check.replace('&', '&amp;')}"`,
    )
    expect(await textOf(check)).toContain('Coincide: el archivo del día tiene la misma huella')

    const point = { pair: findPairByKey('usd/blue')!, at: art('2026-03-02 10:00') }
    const made = { now: art('2026-03-04 09:00'), reason: 'una cifra de menos' }
    await replacePoint(env.DB, { ...point, ...made, buy: 14_160_000, sell: 14_360_000 })
    await build(art('2026-03-04 09:10'))
    const text = await textOf(check)
    expect(text).toContain('No coincide con la constancia impresa')
    expect(text).toContain(
      'Valor del 02/03/2026 10:00: compra $ 1.415,00, venta $ 1.435,00 pasó a compra $ 1.416,00, venta $ 1.436,00. Corregido el 04/03/2026 09:00: una cifra de menos',
    )
    expect(text).toContain('Fuente corrección a mano')
  })

  it.each([
    [`${PAGE}?hora=25:00`, 400, 'La hora debe tener la forma HH:MM'],
    [`${PAGE}?hora=12:00&hora=13:00`, 400, 'El parámetro hora está repetido'],
    [`${PAGE}?time=12:00`, 400, 'Los únicos parámetros son hora y huella'],
    [`${PAGE}?huella=abc`, 400, 'La huella debe ser un SHA-256'],
    [`${PAGE}?huella=`, 400, 'La huella debe ser un SHA-256'],
    ['/constancia/usd/blue/2026-02-30', 400, 'La fecha debe existir'],
    ['/constancia/usd/blue/ayer', 400, 'La fecha debe existir'],
    ['/constancia/usd/blue/%00', 400, 'La fecha debe existir'],
    ['/constancia/usd/blue/2026-03-05', 400, 'La fecha no puede ser posterior a hoy'],
    ['/constancia/usd/blue/2026-03-04?hora=12:01', 400, 'La hora pedida todavía no llegó'],
    ['/constancia/usd/blue/2026-02-01', 404, 'todavía no había datos'],
    ['/constancia/usd/nada/2026-03-02', 404, 'Cotización no encontrada'],
    ['/constancia/usd/blue', 404, 'Recurso no encontrado'],
    ['/constancia', 404, 'Recurso no encontrado'],
    ['/constancia/usd/blue/2026-03-02/x', 404, 'Recurso no encontrado'],
  ])('refuses %s with a page in Spanish', async (path, status, words) => {
    const response = await get(path)
    expect(response.status).toBe(status)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    const page = await response.text()
    expect(page).toContain('<html lang="es-AR">')
    expect(plain(page)).toContain(words)
  })

  it('has one address, in small letters', async () => {
    const response = await get('/constancia/USD/Blue/2026-03-02?hora=12:00')
    expect([response.status, response.headers.get('Location')]).toEqual([301, `${PAGE}?hora=12:00`])
  })

  it('is linked from the page of the day', async () => {
    expect(await (await get('/usd/blue/2026-03-02')).text()).toContain(`href="${PAGE}"`)
    expect(await (await get('/usd/blue/2020-01-01')).text()).not.toContain('/constancia/')
  })

  it('counts with the pages of a day', async () => {
    const site = openSite({ env: { DATE_READ_LIMIT: '2' } })
    await get(PAGE, site)
    await get('/usd/blue/2026-03-02', site)
    expect((await get(PAGE, site)).status).toBe(429)
  })

  it('is a page with 503 when the database is out of reach', async () => {
    const response = await get(PAGE, openSite({ env: { DB: failing('down') } }))
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(await response.text()).toContain('<html lang="es-AR">')
  })
})

it('says where there is no signature', async () => {
  await build(nightAfter('2026-03-02'), { RECORD_SIGNING_KEY: '' })
  expect(await textOf(PAGE)).toContain('Clave de la firma (Ed25519) Sin firma')
})

it.each(['/constancia/usd/blue/2026-03-04', PAGE])(
  'says of a day that no manifest names that nothing proves it yet: %s',
  async (path) => {
    const text = await textOf(path)
    expect(text).toContain('Hasta entonces esta página no prueba nada')
    expect(text).toContain('$ 1.440,00')
  },
)
