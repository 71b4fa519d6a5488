import { describe, expect, it } from 'vitest'
import { COMPATIBILITY_CURRENT_PATHS } from '../../../workers/edge/compatibility/current.ts'
import type { BoardQuote } from '../../../shared/board/board.ts'
import { PAIRS } from '../../../shared/market/catalog.ts'
import { openEdge } from '../../support/edge.ts'
import { art } from '../../support/instant.ts'
import { aBoardQuote, seedBoard } from '../../support/seed.ts'
import { untouchable } from '../../support/untouchable.ts'

const NOON = art('2026-03-02 12:00:30')
const ALL = PAIRS.map((pair) => aBoardQuote(`${pair.currency}/${pair.origin}`))

function openCompatibility(now = NOON) {
  return openEdge({ now, env: { COMPATIBILITY: 'on', DB: untouchable } })
}

/** What a path answers by a board with these quotes. */
async function read(path: string, quotes: BoardQuote[] = ALL) {
  await seedBoard(NOON, { quotes })
  const response = await openCompatibility().fetch(path)
  return { response, text: await response.text() }
}

// Keys, order, spaces and decimals of the originals.
it.each<[path: string, quotes: BoardQuote[], text: string]>([
  [
    '/v1/dolares/blue',
    [aBoardQuote('USD/BLUE', { buy: 1530, sell: 1550.5 })],
    `{
  "moneda": "USD",
  "casa": "blue",
  "nombre": "Blue",
  "compra": 1530,
  "venta": 1550.5,
  "fechaActualizacion": "2026-03-02T14:55:00.000Z"
}`,
  ],
  [
    // Of today, whenever it took that value.
    '/v1/finanzas/indices/riesgo-pais/ultimo',
    [aBoardQuote('ARG/RIESGO', { sell: 519, updatedAt: '2026-02-27T18:00:00.000-03:00' })],
    '{\n  "valor": 519,\n  "fecha": "2026-03-02"\n}',
  ],
  [
    '/v2/latest',
    [
      aBoardQuote('USD/OFICIAL', { buy: 1469, sell: 1520 }),
      aBoardQuote('USD/BLUE', {
        buy: 1507,
        sell: 1540,
        updatedAt: '2026-03-02T11:57:00.000-03:00',
      }),
      aBoardQuote('EUR/OFICIAL', { buy: 1738.979, sell: 1753.2304 }),
      aBoardQuote('EUR/BLUE', { buy: 1638.005, sell: 1674 }),
    ],
    '{"oficial":{"value_avg":1494.50,"value_sell":1520.00,"value_buy":1469.00},' +
      '"blue":{"value_avg":1523.50,"value_sell":1540.00,"value_buy":1507.00},' +
      '"oficial_euro":{"value_avg":1746.10,"value_sell":1753.23,"value_buy":1738.98},' +
      '"blue_euro":{"value_avg":1656.00,"value_sell":1674.00,"value_buy":1638.01},' +
      '"last_update":"2026-03-02T11:57:00.000-03:00"}',
  ],
])('%s has the original’s bytes', async (path, quotes, text) => {
  expect((await read(path, quotes)).text).toBe(text)
})

const DOLLARS =
  'oficial:Oficial blue:Blue bolsa:Bolsa contadoconliqui:Contado con liquidación mayorista:Mayorista cripto:Cripto tarjeta:Tarjeta'
const CURRENCIES =
  'oficial:Dólar oficial:Euro oficial:Real Brasileño oficial:Peso Chileno oficial:Peso Uruguayo'

it.each([
  ['/v1/dolares', DOLLARS],
  ['/v1/ambito/dolares', `${DOLLARS} bna:BNA`],
  ['/v1/cotizaciones', CURRENCIES],
])('%s is in the original’s order, with its names', async (path, names) => {
  const rows = JSON.parse((await read(path)).text) as { casa: string; nombre: string }[]
  expect(rows.map(({ casa, nombre }) => `${casa}:${nombre}`).join(' ')).toBe(names)
})

it('the Ámbito addresses add the change of the day in percent, each in its place', async () => {
  const dollars = JSON.parse((await read('/v1/ambito/dolares')).text) as object[]
  expect(dollars.at(-1)).toMatchObject({ casa: 'bna', variacion: 2.14 })
  const own = 'moneda casa nombre compra venta'
  expect(Object.keys(dollars[0]!).join(' ')).toBe(`${own} fechaActualizacion variacion`)
  expect(Object.keys(dollars.at(-1)!).join(' ')).toBe(`${own} variacion fechaActualizacion`)
})

it('the change turns at midnight without a scrape, and is a number always', async () => {
  const quotes = [aBoardQuote('USD/BLUE'), aBoardQuote('USD/CCL', { referenceSell: null })]
  await seedBoard(art('2026-03-02 23:59:50'), { quotes })
  const edge = openCompatibility(art('2026-03-02 23:59:59.999'))
  const change = async (casa = 'blue') =>
    ((await (await edge.fetch(`/v1/ambito/dolares/${casa}`)).json()) as any).variacion

  expect([await change(), await change('contadoconliqui')]).toEqual([2.14, 0])
  edge.clock.now = art('2026-03-03 00:00:00.000')
  expect(await change()).toBe(0)
})

it.each([
  [ALL, 'Disponible'],
  [[], 'No disponible'],
])('the state is available while there are quotes', async (quotes, estado) => {
  const { text } = await read('/v1/estado', quotes)
  expect(JSON.parse(text)).toEqual({ estado, aleatorio: expect.any(Number) })
})

it.each([
  ['/v1/dolares/solidario', ''],
  ['/v1/dolares/BLUE', ''],
  ['/v1/xyz', ''],
  ['/v1/cotizaciones/ars', ''],
  ['/v2/xyz', '{"error":"Error: not found"}'],
])('%s is the original’s 404', async (path, body) => {
  const { response, text } = await read(path)
  expect([response.status, text]).toEqual([404, body])
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
})

describe('every compatibility address about now', () => {
  it('is kept, tagged, open to browsers and in HEAD, with or without a slash at its end', async () => {
    await seedBoard(NOON, { quotes: ALL, mode: 'demo' })
    const edge = openCompatibility()

    for (const path of COMPATIBILITY_CURRENT_PATHS) {
      const whole = await edge.fetch(`${path}?_=123`)
      expect(whole.status, path).toBe(200)
      expect(Object.fromEntries(whole.headers)).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, max-age=60',
        'access-control-allow-origin': '*',
        'x-service-mode': 'demo',
      })
      const etag = whole.headers.get('ETag')!
      const again = await edge.fetch(path, { headers: { 'If-None-Match': etag } })
      expect(again.status).toBe(304)
      const head = await edge.fetch(`${path}/`, { method: 'HEAD' })
      expect([head.status, head.headers.get('ETag'), await head.text()]).toEqual([200, etag, ''])
      const post = await edge.fetch(path, { method: 'POST', body: '{}' })
      expect([post.status, post.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
      expect((await edge.fetch(path, { method: 'OPTIONS' })).status).toBe(204)
    }
  })

  it.each(['off', 'On', ''])('is the site’s with the switch at “%s”', async (COMPATIBILITY) => {
    const edge = openEdge({ now: NOON, env: { COMPATIBILITY: COMPATIBILITY as 'off' } })
    for (const path of COMPATIBILITY_CURRENT_PATHS)
      expect(await (await edge.fetch(path)).text(), path).toBe('site')
  })
})
