import { beforeEach, expect, it } from 'vitest'
import { art } from '../support/instant.ts'
import { seedInvoicing } from '../support/points.ts'
import { getPage, textOf } from './page.ts'

const get = (query = '', options = {}) => getPage(`/facturacion${query}`, options)
const read = (query = '', options = {}) => textOf(get(query, options))

beforeEach(async () => {
  const rates = [
    { currency: 'USD', units: 1, buy: '1451.5', sell: '1460.5' },
    { currency: 'JPY', units: 100, buy: '931.2043', sell: '938.5517' },
  ]
  await seedInvoicing({ publishedAt: art('2026-02-27 15:02'), source: 'bna-divisas', rates })
})

it('the invoicing page shows the dollar for today by default, with the rule and its limits', async () => {
  const response = await get()
  expect(response.status).toBe(200)
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=60')
  const page = await response.text()
  expect(page).not.toContain('<script')
  expect(page).toContain('value="2026-03-02"')
  expect(page).toContain('max="2026-03-03"')

  const text = await read()
  for (const words of [
    'dólar estadounidense, cierre del 27 de febrero de 2026 $ 1.460,50',
    'Comprador $ 1.451,50',
    'Publicado 27/02/2026 15:02',
    'Yen japonés (JPY) $ 938,5517 por 100 27/02/2026',
    'Euro (EUR) sin datos',
    'RG 5616/2024',
    'no asesoramiento',
  ])
    expect(text).toContain(words)
  expect(text).not.toContain('viejo')
})

it.each([
  ['usd', '1.500,50', 'USD 1.500,50 son $ 2.191.480,25'],
  ['jpy', '1000', 'JPY 1.000 son $ 9.385,52'],
  ['usd', 'mil', 'Escribí un monto como 1.500,50.'],
])('the invoicing page converts an amount of %s: %s', async (moneda, monto, words) => {
  expect(await read(`?fecha=2026-03-02&moneda=${moneda}&monto=${monto}`)).toContain(words)
})

it('the invoicing page says that a rate is of an older day than it should be', async () => {
  expect(await read('?fecha=2026-03-04', { now: art('2026-03-04 12:00') })).toContain(
    'Falta la tabla del día hábil anterior',
  )
})

it('the invoicing page says that tomorrow’s rate is not known yet, or that there is no rate', async () => {
  expect(await read('?fecha=2026-03-03')).toContain('El cierre de hoy todavía no se conoce')
  expect(await read('?fecha=2020-01-02')).toContain('No tenemos la tabla de ningún día')
})

it.each(['?fecha=2026-02-30', '?fecha=2026-03-04', '?fecha=hoy'])(
  '%s answers 400',
  async (query) => {
    expect((await get(query)).status).toBe(400)
  },
)

it('the invoicing page uses the defaults for an empty date and an unknown currency, and escapes typed text', async () => {
  const page = await (await get('?fecha=&moneda=xyz&monto=%22%3E%3Cb%3E')).text()
  expect(page).toContain('value="&quot;&gt;&lt;b&gt;"')
  expect(page).toContain('value="usd" selected')
})
