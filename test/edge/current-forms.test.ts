import { describe, expect, it } from 'vitest'
import { toCsv } from '../../shared/csv.ts'
import { openEdge } from '../support/edge.ts'
import { art } from '../support/instant.ts'
import { aBoardQuote, seedBoard } from '../support/board.ts'

const NOON = art('2026-03-02 12:00:30')
const BLUE = aBoardQuote('USD/BLUE', { buy: 1410.5, sell: 1430.25 })

async function ask(path: string, headers: Record<string, string> = {}) {
  await seedBoard(NOON, { quotes: [BLUE, aBoardQuote('EUR/BLUE')] })
  return openEdge({ now: NOON }).fetch(path, { headers })
}

describe('a current read as CSV', () => {
  it.each([
    [
      '/api/v2/usd?format=csv',
      'currency,name,origin,buy,sell,updatedAt,lastScrapedAt,valueType\r\n' +
        'USD,Dólar Blue,BLUE,1410.5,1430.25,2026-03-02T11:55:00.000-03:00,' +
        '2026-03-02T12:00:00.000-03:00,money\r\n',
    ],
    [
      '/api/v2/usd/blue?format=csv',
      'currency,name,origin,buy,sell,updatedAt,lastScrapedAt,valueType,' +
        'changeAmount,changePercent,referenceValue\r\n' +
        'USD,Dólar Blue,BLUE,1410.5,1430.25,2026-03-02T11:55:00.000-03:00,' +
        '2026-03-02T12:00:00.000-03:00,money,30.25,2.16,1400\r\n',
    ],
    [
      '/api/usd/blue?format=csv&locale=es-AR',
      'moneda,nombre,origen,compra,venta,actualizado\r\n' +
        'USD,Dólar Blue,BLUE,"1410,5","1430,25",2026-03-02T11:55:00.000-03:00\r\n',
    ],
    // The cache-busters of spreadsheets are ignored.
    ['/api/clp?t=1&format=csv', 'moneda,nombre,origen,compra,venta,actualizado\r\n'],
  ])('%s', async (path, csv) => {
    const response = await ask(path)
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('Vary')).toBe('Accept')
    expect(await response.text()).toBe(csv)
  })

  it.each([
    ['TEXT/CSV; charset=utf-8', true],
    ['text/csv, */*', true],
    ['application/json;q=0.5, text/csv', true],
    ['application/json, text/csv', false],
    ['application/*, text/csv;q=0.9', false],
    ['text/csv;q=0', false],
    ['text/csv;q=high', false],
    ['text/*', false],
  ])('is chosen by Accept “%s”: %s', async (Accept, csv) => {
    const response = await ask('/api/v2/quotes', { Accept })
    expect(response.headers.get('Content-Type')?.startsWith('text/csv')).toBe(csv)
    expect(response.headers.get('Vary')).toBe('Accept')
    const local = await ask('/api/usd/blue?locale=es-AR', { Accept })
    expect((await local.text()).includes('"1410,5"')).toBe(csv)
  })
})

it.each([
  ['/api/v2/usd/blue?format=value', '1430.25'],
  ['/api/v2/usd/blue?format=value&field=buy&locale=es-AR', '1410,5'],
  ['/api/v2/usd/blue?_=1&_=2&t=3&locale=es-ar&format=value', '1430,25'],
  ['/api/usd/blue?format=value&field=compra', '1410.5'],
  ['/api/usd/blue?format=value&field=venta&locale=en-US', '1430.25'],
])('%s answers %s alone', async (path, number) => {
  const response = await ask(path)
  expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
  expect(await response.text()).toBe(number)
})

it('every form answers 404 for a pair that was never quoted', async () => {
  for (const query of ['', '?format=csv', '?format=value']) {
    const response = await ask(`/api/v2/usd/bna${query}`)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ error: 'Cotización no encontrada' })
  }
})

it.each(['/api/v2/usd/xyz', '/api/usd/xyz', '/api/v2/xyz/blue'])(
  'a cell gets a plain line and no page for %s, which is no pair',
  async (path) => {
    const response = await ask(`${path}?format=value`, { Accept: 'text/html,*/*' })
    expect([response.status, await response.text()]).toEqual([404, 'Cotización no encontrada'])
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    const csv = await ask(`${path}?format=csv`)
    expect(csv.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
  },
)

describe('a request that names a form', () => {
  it.each([
    ['/api/v2/usd/blue?format=xml', 'El parámetro format debe ser csv, json o value'],
    ['/api/v2/usd/blue?format=csv&x=1', 'Junto a format los únicos parámetros son field y locale'],
    ['/api/v2/usd/blue?format=csv&format=csv', 'El parámetro format está repetido'],
    ['/api/v2/usd/blue?format=csv&field=sell', 'El parámetro field va con format=value'],
    ['/api/v2/usd/blue?format=value&field=name', 'El parámetro field debe ser buy o sell'],
    ['/api/usd/blue?format=value&field=sell', 'El parámetro field debe ser compra o venta'],
    ['/api/v2/usd/blue?format=value&locale=fr', 'El parámetro locale debe ser es-AR o en-US'],
    ['/api/v2/usd/blue?field=sell', 'El parámetro field va con format=value'],
    ['/api/v2/usd/blue?locale=es-AR', 'El parámetro locale va con format=csv o format=value'],
    [
      '/api/v2/usd/blue?locale=es-AR&x=1',
      'Junto a format los únicos parámetros son field y locale',
    ],
    ['/api/v2/usd?format=value', 'El valor solo es de un par: la lista va con format=csv'],
  ])('%s', async (path, error) => {
    const response = await ask(path)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error })
  })

  it.each(['?x=1', '?_=1&fields=sell', '?', '?%zz', '?Format=csv'])(
    'the query %s, which names no form, is ignored',
    async (query) => {
      const response = await ask(`/api/v2/usd/blue${query}`)
      expect(response.status).toBe(200)
      expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
    },
  )
})

it.each(['a,b', 'say "so"', 'two\nlines', 'two\rlines'])('CSV puts %j in quotes', (value) => {
  expect(toCsv([{ x: value }])).toBe(`x\r\n"${value.replaceAll('"', '""')}"\r\n`)
})
