import { beforeEach, expect, it } from 'vitest'
import { getPage, textOf } from './page.ts'
import { NOON } from '../support/instant.ts'
import { seedHistory } from '../support/points.ts'
import { aBoardQuote, seedBoard } from '../support/board.ts'

const read = (path: string) => textOf(getPage(path))

beforeEach(async () => {
  await seedBoard(NOON, { quotes: [aBoardQuote('USD/BLUE')] })
  await seedHistory(
    'usd/blue',
    ['2024-06-04 15:00', 1200, 1220],
    ['2024-06-05 11:00', 1210, 1235],
    ['2024-06-05 13:00', 1250, 1270],
    ['2024-06-05 16:00', 1230, 1250],
    ['2024-06-10 12:00', 1255, 1275],
  )
})

it('the page of a day shows the value, the range, the changes around it and links to the data', async () => {
  const response = await getPage('/usd/blue/2024-06-05')
  expect(response.status).toBe(200)
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=300')
  const page = await response.text()
  expect(page).toContain('href="/api/v2/date/2024-06-05/usd/blue"')
  expect(page).toContain('href="/api/v2/date/2024-06-05/usd/blue?format=csv"')
  expect(page).toContain('rel="canonical" href="https://cotizaciones.test/usd/blue/2024-06-05"')
  expect(page).not.toContain('noindex')

  const text = await read('/usd/blue/2024-06-05')
  for (const words of [
    'Dólar Blue el 5 de junio de 2024',
    'Venta al final del día $ 1.250,00 +2,46 %',
    'Compra $ 1.230,00',
    'Cierre anterior $ 1.220,00',
    'Rango del día $ 1.220,00 a 1.270,00',
    'Regía desde 05/06/2024 16:00',
    'Antes, 04/06/2024 $ 1.220,00 −2,40 %',
    'Después, 10/06/2024 $ 1.275,00 +2,00 %',
    'Hoy, 02/03/2026 $ 1.430,00 +14,40 %',
  ])
    expect(text).toContain(words)
})

it.each([
  ['2024-06-08', 'Sábado. No cambió ese día: sigue el valor del 05/06/2024.'],
  ['2024-06-17', 'Feriado: Paso a la Inmortalidad de Martín Miguel de Güemes.'],
  ['2024-06-03', 'el primero es del 04/06/2024'],
])('the page of a day on %s says %s', async (day, words) => {
  expect(await read(`/usd/blue/${day}`)).toContain(words)
})

it('the page of a day tells search engines not to index days without data', async () => {
  expect(await (await getPage('/usd/blue/2020-01-01')).text()).toContain('content="noindex"')
  expect(await read('/eur/blue/2020-01-01')).toContain('no hay datos')
})

it.each([
  ['/usd/blue/2026-03-02', 302, '/usd/blue'],
  ['/USD/Blue/2024-06-05', 301, '/usd/blue/2024-06-05'],
  ['/USD/blue', 301, '/usd/blue'],
  ['/usd/blue/fecha?dia=2024-06-05', 303, '/usd/blue/2024-06-05'],
  ['/usd/blue/fecha?dia=2026-03-02', 303, '/usd/blue'],
])('%s redirects', async (path, status, location) => {
  const response = await getPage(path)
  expect([response.status, response.headers.get('Location')]).toEqual([status, location])
})

it.each([
  ['/usd/blue/2026-03-03', 404, 'todavía no llegó'],
  ['/usd/blue/fecha?dia=ayer', 400, 'La fecha debe existir'],
  ['/usd/blue/fecha', 400, 'La fecha debe existir'],
])('%s is refused', async (path, status, words) => {
  const response = await getPage(path)
  expect(response.status).toBe(status)
  expect(await response.text()).toContain(words)
})
