import { expect, it } from 'vitest'
import { MINUTE_MS } from '../../shared/argentine-time.ts'
import { findPairByKey, PAIRS } from '../../shared/market/catalog.ts'
import { type Close, closesKey, RECENT_KEY } from '../../shared/board/charts.ts'
import { env } from '../support/env.ts'
import { NOON } from '../support/instant.ts'
import { getPage as get, putChart, textOf } from './page.ts'
import { aBoardQuote, everyQuote, seedBoard } from '../support/board.ts'

const blue = findPairByKey('usd/blue')!

const board = () => seedBoard(NOON, { quotes: everyQuote() })
const seedCloses = (closes: Close[]) => putChart(closesKey(blue), { closes })
const day = (text: string) => Date.parse(text) / 86_400_000

const CLOSES: Close[] = [
  [day('2026-02-26'), 13_900_000, 13_700_000],
  [day('2026-02-27'), 14_000_000, 13_800_050],
]

it.each(PAIRS.map(({ currency, origin, name }) => [`/${currency}/${origin}`.toLowerCase(), name]))(
  '%s has a title, a description, one canonical address and a picture',
  async (path, name) => {
    await board()
    const response = await get(path)
    expect(response.status).toBe(200)
    const page = await response.text()
    expect(page).toContain(`<title>${name.replace('&', '&amp;')} hoy · Cotizaciones</title>`)
    expect(page).toContain(`<link rel="canonical" href="https://cotizaciones.test${path}"`)
    expect(page).toContain('content="https://cotizaciones.test/static/share.png"')
    expect(page).toMatch(/<meta name="description" content="[^"]+1\.430/)
    const data = page.match(/<script type="application\/ld\+json">(.*?)<\/script>/s)![1]!
    expect(JSON.parse(data)).toMatchObject({ name: `${name} hoy`, inLanguage: 'es-AR' })
  },
)

it.each([
  '/usd/xyz',
  '/usd/xyz/grafico.json',
  '/usd/blue/2026-02-30',
  '/uſd/blue',
  '/badge/usd/xyz.svg',
  '/embed/usd/xyz',
  '/nada',
])('%s answers 404 with a page, without a read of KV', async (path) => {
  const used: unknown[] = []
  const BOARD = new Proxy(env.BOARD, { get: (_, name) => void used.push(name) })
  const response = await get(path, { env: { BOARD } })
  expect(used).toEqual([])
  expect([response.status, response.headers.get('Cache-Control')]).toEqual([404, 'no-store'])
  expect(await response.text()).toContain('No está acá')
})

it.each([
  ['no value', [], 'empieza con la primera cotización'],
  ['one value', [aBoardQuote('USD/BLUE')], 'empieza con el próximo cambio'],
])(
  'with %s the page of a pair says when the chart will begin, and shows no empty frame',
  async (_, quotes, words) => {
    await seedBoard(NOON, { quotes })
    const page = await (await get('/usd/blue')).text()
    expect(page).toContain(words)
    expect(page).not.toContain('data-chart')
  },
)

it('the page of a pair draws the last year without a script, and chooses the month', async () => {
  await board()
  await seedCloses(CLOSES)
  const page = await (await get('/usd/blue')).text()
  expect(page).toMatch(/<noscript><svg class="chart-still".*<path d="M[^"]+L[^"]+"/)
  expect(page.match(/value="[^"]+" checked/g)).toEqual(['value="mes" checked'])
})

it.each([
  [
    'the chart does not have it yet',
    { referenceSell: 1405 },
    'Cierre de ayer $ 1.405,00',
    'Hoy 1.410,00 1.430,00 +1,78 % 27/02/2026 1.380,01 1.400,00 +0,72 %',
  ],
  [
    'it took effect on a day that the chart does not have yet',
    { updatedAt: '2026-03-01T15:00:00.000-03:00' },
    'Cierre de ayer $ 1.430,00',
    'Hoy 1.410,00 1.430,00 0,00 % 01/03/2026 1.410,00 1.430,00 +2,14 % 27/02/2026 1.380,01',
  ],
])('the page of a pair shows the close of yesterday once: %s', async (_, changes, fact, rows) => {
  await seedBoard(NOON, { quotes: [aBoardQuote('USD/BLUE', { sell: 1430, ...changes })] })
  await seedCloses(CLOSES)
  const text = await textOf(get('/usd/blue'))
  expect(text).toContain(fact)
  expect(text).toContain(rows)
})

it('the data of a chart is what the scraper published, read from KV alone', async () => {
  await seedCloses(CLOSES)
  const recent = [[NOON / MINUTE_MS, 14_300_000]]
  await putChart(RECENT_KEY, { points: { 'USD/BLUE': recent } })
  await env.DB.exec('drop table points')
  await env.DB.exec('drop table daily_candles')

  const response = await get('/usd/blue/grafico.json')
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=60')
  expect(await response.json()).toEqual({ closes: CLOSES, recent, whole: true })
})

it('the data of a chart goes back 400 closes, and to the start when asked', async () => {
  const closes = Array.from({ length: 900 }, (_, i): Close => [15_000 + i, 1, 1])
  await seedCloses(closes)
  const some = await (await get('/usd/blue/grafico.json')).json()
  expect(some).toMatchObject({ whole: false, closes: closes.slice(-400) })
  const all = await (await get('/usd/blue/grafico.json?todo=1')).json()
  expect(all).toMatchObject({ whole: true, closes })
})

it.each(['{', '{"schema":9,"points":{}}'])(
  'the data of a chart is empty when KV holds %j',
  async (text) => {
    await env.BOARD.put(RECENT_KEY, text)
    const empty = { closes: [], recent: [], whole: true }
    expect(await (await get('/usd/blue/grafico.json')).json()).toEqual(empty)
  },
)

it('the data of a chart is offered as CSV with exact decimals', async () => {
  await seedCloses(CLOSES)
  const response = await get('/usd/blue/diario.csv')
  expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('Content-Disposition')).toContain('usd-blue-diario.csv')
  // The byte order mark, by which Excel knows UTF-8.
  expect(
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await response.arrayBuffer()),
  ).toBe('\ufefffecha,compra,venta\r\n2026-02-26,1370,1390\r\n2026-02-27,1380.005,1400\r\n')
})
