import { expect, it } from 'vitest'
import { type Instant, MINUTE_MS } from '../../shared/argentine-time.ts'
import type { BoardQuote } from '../../shared/board/board.ts'
import { CURRENCIES, PAIRS } from '../../shared/market/catalog.ts'
import { MONTH_KEY, RECENT_KEY } from '../../shared/board/charts.ts'
import { env } from '../support/env.ts'
import { art, NOON } from '../support/instant.ts'
import { getPage, putChart, textOf } from './page.ts'
import { aBoardQuote, seedBoard } from '../support/board.ts'
import { seedQuote } from '../support/webhooks.ts'

const get = (path: string, now: Instant = NOON, init: RequestInit = {}) =>
  getPage(path, { now, ...init })

const board = (...quotes: BoardQuote[]) => seedBoard(NOON, { quotes })

function cellOf(page: string, cell: string): string {
  const [pair, name] = cell.split(' ')
  const found = page.match(
    new RegExp(`data-pair="${pair}".*?data-cell="${name}"[^>]*>(.*?)</(?:td|th)>`, 's'),
  )
  return found![1]!.replace(/<[^>]+>/g, '').replace(/\u00a0/g, ' ')
}

it('the home page shows every pair of the catalogue, by currency and in its order, quoted or not', async () => {
  await board(aBoardQuote('USD/BLUE'))
  const page = await (await get('/')).text()

  expect(
    [...page.matchAll(/<section class="panel" aria-labelledby="(\w+)"/g)].map(([, id]) => id),
  ).toEqual(CURRENCIES.map((currency) => currency.toLowerCase()))
  expect([...page.matchAll(/<tr role="row" data-pair="([^"]+)"/g)].map(([, key]) => key)).toEqual(
    PAIRS.map(({ currency, origin }) => `${currency}/${origin}`.toLowerCase()),
  )
  expect(page.match(/Todavía sin datos/g)).toHaveLength(PAIRS.length - 1)
})

it('the home page shows buy, sell, the change since yesterday with its direction, and the gap of each dollar', async () => {
  await board(
    aBoardQuote('USD/OFICIAL', { sell: 1400, referenceSell: 1400 }),
    aBoardQuote('USD/BLUE', { buy: 1410, sell: 1430, referenceSell: 1400 }),
    aBoardQuote('USD/MAYORISTA', { sell: 1386, referenceSell: null }),
    aBoardQuote('USD/CCL', { sell: 1379.5, referenceSell: 1400 }),
    aBoardQuote('EUR/BLUE', { sell: 1700 }),
    aBoardQuote('CLP/OFICIAL', { buy: 1.5321, sell: 1.5321 }),
  )
  const response = await get('/')
  const page = await response.clone().text()

  expect(cellOf(page, 'usd/blue buy')).toBe('1.410,00')
  expect(cellOf(page, 'usd/blue sell')).toBe('1.430,00')
  expect(cellOf(page, 'clp/oficial sell')).toBe('1,5321')
  expect(cellOf(page, 'usd/blue move')).toBe('▲ subió +2,14 %')
  expect(cellOf(page, 'usd/ccl move')).toBe('▼ bajó −1,46 %')
  expect(cellOf(page, 'usd/oficial move')).toBe('= sin cambios 0,00 %')
  expect(cellOf(page, 'usd/mayorista move')).toBe('—')
  expect(cellOf(page, 'usd/blue gap')).toBe('+2,14 %')
  expect(cellOf(page, 'usd/mayorista gap')).toBe('−1,00 %')
  expect(cellOf(page, 'usd/oficial gap')).toBe('—')
  expect(row(page, 'eur/blue')).not.toContain('data-cell="gap"')
  expect(await textOf(response)).toContain(
    'El blue se vende a $ 1.430,00, 2,14 % más caro que el oficial.',
  )
})

it('the home page measures the change from midnight on, before a cycle of the new day', async () => {
  await board(aBoardQuote('USD/CRIPTO', { referenceSell: 1400 }))
  const page = await (await get('/', art('2026-03-03 00:00'))).text()
  expect(cellOf(page, 'usd/cripto move')).toBe('= sin cambios 0,00 %')
})

it.each([
  ['12:00', 'recién', false],
  ['12:15', 'hace 15 min', false],
  ['12:16', 'hace 16 min', true],
  ['14:30', 'hace 2 h', true],
])('at %s the home page shows the age “%s”, late: %s', async (time, age, stale) => {
  await board(aBoardQuote('USD/BLUE'))
  const page = await (await get('/', art(`2026-03-02 ${time}`))).text()
  expect(page).toContain(`>${age}</time>`)
  expect(page.includes('Demorado')).toBe(stale)
})

it('the home page shows no quote as late on a Sunday when it was confirmed at Friday’s close', async () => {
  const lastScrapedAt = '2026-02-27T19:58:00.000-03:00'
  const sunday = art('2026-03-01 12:00')
  const quote = aBoardQuote('USD/BLUE', { updatedAt: lastScrapedAt, lastScrapedAt })
  await seedBoard(sunday, { quotes: [quote] })
  const page = await (await get('/', sunday)).text()
  expect(page).toContain('>hace 1 día</time>')
  expect(page).toContain('Valores de las 19:58 del 27/02/2026, hora argentina.')
  expect(page).not.toContain('Demorado')
})

it.each([
  ['/', 'live', null],
  ['/', 'demo', 'Modo demo.'],
  ['/', 'upstream', 'Reproducción.'],
  ['/usd/blue', 'demo', 'Modo demo.'],
  ['/facturacion', 'demo', 'Modo demo.'],
] as const)('%s in mode %s says %s', async (path, mode, words) => {
  await seedBoard(NOON, { mode, quotes: [aBoardQuote('USD/BLUE')] })
  const page = await (await get(path)).text()
  expect(page.includes('mode-banner')).toBe(words !== null)
  if (words) expect(page).toContain(words)
})

it('the home page without any quote answers 503, and when to come again', async () => {
  const response = await get('/')
  expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '30'])
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(await response.text()).toContain('No pudimos leer las cotizaciones')
})

it('the home page comes from the tables when the board is too old to be trusted', async () => {
  await seedQuote('usd/blue', 1410, 1555)
  await board(aBoardQuote('USD/BLUE', { sell: 1430 }))
  for (const [late, sell] of [
    [0, '1.430,00'],
    [1, '1.555,00'],
  ] as const) {
    const page = await (await get('/', NOON + 15 * MINUTE_MS + late)).text()
    expect(cellOf(page, 'usd/blue sell')).toBe(sell)
  }
})

it('the home page writes what the board says as text, never as markup', async () => {
  await board(aBoardQuote('USD/BLUE', { name: '<img src=x>', source: '<script>' }))
  const page = await (await get('/?monto="><script>alert(1)</script>&par=<b>&lado=<i>')).text()
  expect(page).not.toContain('<script>alert')
  expect(page).not.toContain('<img')
  expect(page).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
})

it('the home page may be kept for half a minute, and has no script or style of others, or inline', async () => {
  await board(aBoardQuote('USD/BLUE'))
  const response = await get('/')
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=30')
  const page = await response.text()
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/)
  expect(page).not.toMatch(/(src|href)="(https?:)?\/\/(?!cotizaciones\.test)/)
})

const converted = () =>
  board(
    aBoardQuote('USD/BLUE', { buy: 1410, sell: 1430 }),
    aBoardQuote('EUR/BNA', { buy: 1668.6, sell: 1764.68 }),
  )

it.each([
  ['', '100 dólares son $ 143.000,00 $ 100 son 0,0699 dólares'],
  ['?monto=1.500,50&par=usd/blue&lado=compra', '1.500,50 dólares son $ 2.115.705,00'],
  ['?monto=3&par=EUR/BNA&lado=venta', '3 euros son $ 5.294,04'],
  ['?monto=mil&par=usd/blue', 'Escribí un monto como 1.500,50. —'],
  ['?monto=1&par=usd/ccl', 'Esa cotización todavía no tiene datos. —'],
  ['?monto=2&par=arg/riesgo&lado=otro', '2 dólares son $ 2.860,00'],
])('the converter without a script answers %s with %s', async (query, answer) => {
  await converted()
  expect(await textOf(await get(`/${query}`))).toContain(answer)
})

it('the converter without a script keeps what was chosen', async () => {
  await converted()
  const page = await (await get('/?monto=7&par=eur/bna&lado=compra')).text()
  expect(page).toContain('value="7"')
  expect(page).toMatch(/<option value="eur\/bna"[^>]*selected/)
  expect(page).toMatch(/value="compra" checked/)
})

const minute = (text: string) => art(text) / 60_000
const row = (page: string, key: string) =>
  page.match(new RegExp(`<tr role="row" data-pair="${key}".*?</tr>`, 's'))![0]

const today = Date.parse('2026-03-02') / 86_400_000
async function seed() {
  await board(
    aBoardQuote('USD/OFICIAL', { sell: 1400 }),
    aBoardQuote('USD/BLUE', { sell: 1430, referenceSell: 1400 }),
    aBoardQuote('USD/MAYORISTA', { sell: 1386, referenceSell: 1386 }),
  )
  const closes = [-40, -29, -28, -2, -1].map((back, i) => [today + back, (1300 + i) * 10_000])
  await putChart(MONTH_KEY, { closes: { 'USD/BLUE': closes } })
  const points = [
    [minute('2026-03-02 10:00'), 14_550_000],
    [minute('2026-03-02 11:55'), 14_300_000],
  ]
  await putChart(RECENT_KEY, { points: { 'USD/BLUE': points } })
  return (await get('/')).text()
}

it('the row of a pair draws its last 30 days without a script, with a gap where data is missing', async () => {
  const page = await seed()
  const line = row(page, 'usd/blue').match(/<svg class="spark up".*?<path d="([^"]+)"/s)![1]!
  // Two days a month ago, a gap of 26 days, and the last two days up to now.
  expect(line.match(/[ML]/g)!.join('')).toBe('MLMLL')
  expect(row(page, 'usd/mayorista')).not.toContain('<svg')
})

it("the row of a pair shows today's range with the value at midnight, or that nothing changed", async () => {
  const page = await seed()
  expect(cellOf(page, 'usd/blue range')).toBe('1.400,00 a 1.455,00')
  expect(row(page, 'usd/blue')).toMatch(/data-low="14000000" data-high="14550000"/)
  expect(cellOf(page, 'usd/mayorista range')).toBe('sin cambios')
})

it('the row of a pair has a gap bar that starts at the common zero', async () => {
  const bars = await seed()
  const of = (key: string) => bars.match(new RegExp(`data-gap="${key}".*?<rect ([^>]+)>`, 's'))![1]
  expect(of('usd/mayorista')).toContain('x="0" width="31.8"')
  expect(of('usd/blue')).toContain('x="31.8" width="68.2"')
})

it('the row of a pair is shown without chart and range when KV cannot be read', async () => {
  await seed()
  await env.BOARD.put(MONTH_KEY, '{')
  await env.BOARD.put(RECENT_KEY, '{"schema":9}')
  const page = await (await get('/')).text()
  expect(cellOf(page, 'usd/blue range')).toBe('1.400,00 a 1.430,00')
})
