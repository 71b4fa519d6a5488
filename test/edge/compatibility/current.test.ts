import { describe, expect, it } from 'vitest'
import { COMPATIBILITY_CURRENT_PATHS } from '../../../workers/edge/compatibility/current.ts'
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

describe('DolarApi', () => {
  it('one dollar has the original’s bytes: its keys, its order, two spaces, the time in UTC', async () => {
    await seedBoard(NOON, { quotes: [aBoardQuote('USD/BLUE', { buy: 1530, sell: 1550.5 })] })

    expect(await (await openCompatibility().fetch('/v1/dolares/blue')).text()).toBe(`{
  "moneda": "USD",
  "casa": "blue",
  "nombre": "Blue",
  "compra": 1530,
  "venta": 1550.5,
  "fechaActualizacion": "2026-03-02T14:55:00.000Z"
}`)
  })

  it('the dollars stand in the original’s order, with its names', async () => {
    await seedBoard(NOON, { quotes: ALL })

    const dollars = (await (await openCompatibility().fetch('/v1/dolares')).json()) as any[]
    expect(dollars.map(({ moneda, casa, nombre }) => [moneda, casa, nombre])).toEqual([
      ['USD', 'oficial', 'Oficial'],
      ['USD', 'blue', 'Blue'],
      ['USD', 'bolsa', 'Bolsa'],
      ['USD', 'contadoconliqui', 'Contado con liquidación'],
      ['USD', 'mayorista', 'Mayorista'],
      ['USD', 'cripto', 'Cripto'],
      ['USD', 'tarjeta', 'Tarjeta'],
    ])
  })

  it('the currencies are its five, all of the casa oficial', async () => {
    await seedBoard(NOON, { quotes: ALL })

    const currencies = (await (await openCompatibility().fetch('/v1/cotizaciones')).json()) as any[]
    expect(currencies.map(({ moneda, casa, nombre }) => [moneda, casa, nombre])).toEqual([
      ['USD', 'oficial', 'Dólar'],
      ['EUR', 'oficial', 'Euro'],
      ['BRL', 'oficial', 'Real Brasileño'],
      ['CLP', 'oficial', 'Peso Chileno'],
      ['UYU', 'oficial', 'Peso Uruguayo'],
    ])
  })

  it('the Ámbito addresses add the change of the day in percent, and the Banco Nación', async () => {
    await seedBoard(NOON, { quotes: ALL })

    const dollars = (await (await openCompatibility().fetch('/v1/ambito/dolares')).json()) as any[]
    expect(dollars.at(-1)).toMatchObject({ casa: 'bna', nombre: 'BNA', variacion: 2.14 })
    expect(Object.keys(dollars[0])).toEqual(
      'moneda casa nombre compra venta fechaActualizacion variacion'.split(' '),
    )
    expect(Object.keys(dollars.at(-1))).toEqual(
      'moneda casa nombre compra venta variacion fechaActualizacion'.split(' '),
    )
  })

  it('the change turns at midnight without a scrape', async () => {
    const quotes = [aBoardQuote('USD/BLUE'), aBoardQuote('USD/CCL', { referenceSell: null })]
    await seedBoard(art('2026-03-02 23:59:50'), { quotes })
    const edge = openCompatibility(art('2026-03-02 23:59:59.999'))
    const change = async (casa = 'blue') =>
      ((await (await edge.fetch(`/v1/ambito/dolares/${casa}`)).json()) as any).variacion
    // The original always has a number.
    expect(await change('contadoconliqui')).toBe(0)

    expect(await change()).toBe(2.14)
    edge.clock.now = art('2026-03-03 00:00:00.000')
    expect(await change()).toBe(0)
  })

  it.each([
    ['available while there are quotes', ALL, 'Disponible'],
    ['not available before the first one', [], 'No disponible'],
  ])('the state is %s', async (_, quotes, estado) => {
    await seedBoard(NOON, { quotes })
    expect(await (await openCompatibility().fetch('/v1/estado')).json()).toEqual({
      estado,
      aleatorio: expect.any(Number),
    })
  })

  it.each(['/v1/dolares/solidario', '/v1/dolares/BLUE', '/v1/xyz', '/v1/cotizaciones/ars'])(
    '%s is a 404 without a body, as there',
    async (path) => {
      await seedBoard(NOON, { quotes: ALL })
      const response = await openCompatibility().fetch(path)
      expect(response.status).toBe(404)
      expect(await response.text()).toBe('')
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    },
  )
})

describe('ArgentinaDatos', () => {
  it('the last country risk is of today, whenever it took that value', async () => {
    await seedBoard(NOON, {
      quotes: [
        aBoardQuote('ARG/RIESGO', { sell: 519, updatedAt: '2026-02-27T18:00:00.000-03:00' }),
      ],
    })
    expect(
      await (await openCompatibility().fetch('/v1/finanzas/indices/riesgo-pais/ultimo')).text(),
    ).toBe('{\n  "valor": 519,\n  "fecha": "2026-03-02"\n}')
  })
})

describe('Bluelytics', () => {
  it('prints two decimals always, the mean of the two exact, and the latest change', async () => {
    await seedBoard(NOON, {
      quotes: [
        aBoardQuote('USD/OFICIAL', { buy: 1469, sell: 1520 }),
        aBoardQuote('USD/BLUE', {
          buy: 1507,
          sell: 1540,
          updatedAt: '2026-03-02T11:57:00.000-03:00',
        }),
        aBoardQuote('EUR/OFICIAL', { buy: 1738.979, sell: 1753.2304 }),
        aBoardQuote('EUR/BLUE', { buy: 1638.005, sell: 1674 }),
      ],
    })

    expect(await (await openCompatibility().fetch('/v2/latest')).text()).toBe(
      '{"oficial":{"value_avg":1494.50,"value_sell":1520.00,"value_buy":1469.00},' +
        '"blue":{"value_avg":1523.50,"value_sell":1540.00,"value_buy":1507.00},' +
        '"oficial_euro":{"value_avg":1746.10,"value_sell":1753.23,"value_buy":1738.98},' +
        '"blue_euro":{"value_avg":1656.00,"value_sell":1674.00,"value_buy":1638.01},' +
        '"last_update":"2026-03-02T11:57:00.000-03:00"}',
    )
  })

  it('an address that it does not have is its 404', async () => {
    await seedBoard(NOON, { quotes: ALL })
    const response = await openCompatibility().fetch('/v2/xyz')
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ error: 'Error: not found' })
  })
})

describe('every compatibility address about now', () => {
  it('is kept, tagged, open to browsers and in HEAD, with or without a slash at its end', async () => {
    await seedBoard(NOON, { quotes: ALL, mode: 'demo' })
    const edge = openCompatibility()

    for (const path of COMPATIBILITY_CURRENT_PATHS) {
      const whole = await edge.fetch(`${path}?_=123`)
      expect(whole.status, path).toBe(200)
      expect(whole.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
      expect(whole.headers.get('Cache-Control')).toBe('public, max-age=60')
      expect(whole.headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect(whole.headers.get('X-Service-Mode')).toBe('demo')
      const etag = whole.headers.get('ETag')!
      expect(await whole.json()).toBeTypeOf('object')

      const again = await edge.fetch(path, { headers: { 'If-None-Match': etag } })
      expect(again.status).toBe(304)
      const head = await edge.fetch(path, { method: 'HEAD' })
      expect([head.status, head.headers.get('ETag'), await head.text()]).toEqual([200, etag, ''])
      const post = await edge.fetch(path, { method: 'POST', body: '{}' })
      expect([post.status, post.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
      expect((await edge.fetch(path, { method: 'OPTIONS' })).status).toBe(204)
      const slash = await edge.fetch(`${path}/`)
      expect([slash.status, slash.headers.get('ETag')], path).toEqual([200, etag])
    }
  })

  it.each(['off', 'On', ''])('is the site’s with the switch at “%s”', async (COMPATIBILITY) => {
    const edge = openEdge({ now: NOON, env: { COMPATIBILITY: COMPATIBILITY as 'off' } })
    for (const path of COMPATIBILITY_CURRENT_PATHS) {
      expect(await (await edge.fetch(path)).text(), path).toBe('site')
    }
  })

  it('without any quote is not found, but for the state', async () => {
    await seedBoard(NOON, { quotes: [] })
    const edge = openCompatibility()
    for (const path of COMPATIBILITY_CURRENT_PATHS) {
      expect((await edge.fetch(path)).status, path).toBe(path === '/v1/estado' ? 200 : 404)
    }
  })
})
