import { describe, expect, it } from 'vitest'
import { buildFiles } from '../../support/archive.ts'
import { seedCloses } from '../../support/candles.ts'
import { openEdge } from '../../support/edge.ts'
import { art } from '../../support/instant.ts'
import { seedPoints } from '../../support/points.ts'
import { aBoardQuote, seedBoard } from '../../support/seed.ts'
import { untouchable } from '../../support/untouchable.ts'

const NOON = art('2026-03-03 12:00:30')

function openCompatibility(more: object = {}, now = NOON) {
  return openEdge({ now, env: { COMPATIBILITY: 'on', ...more } })
}

/** Closes up to 2 March in the files; the board is of the 3rd. */
async function seedHistory(mode: 'live' | 'demo' = 'live'): Promise<void> {
  await seedCloses('usd/blue', ['2026-02-28', 1410.5, 1430.25], ['2026-03-02', 1420, 1440])
  await seedCloses('usd/oficial', ['2026-03-01', 1400, 1450])
  await seedCloses('arg/riesgo', ['2026-03-01', 519, 519])
  await seedCloses('arg/uva', ['2026-03-02', 1700.12, 1700.12])
  await buildFiles(art('2026-03-03 00:10'), mode)
  await seedBoard(NOON, {
    quotes: [
      aBoardQuote('USD/BLUE', { buy: 1425, sell: 1445 }),
      aBoardQuote('USD/OFICIAL', { buy: 1401, sell: 1451 }),
      aBoardQuote('ARG/RIESGO', { buy: 520, sell: 520 }),
      aBoardQuote('ARG/UVA', { buy: 1701, sell: 1701 }),
    ],
  })
}

describe('a whole history', () => {
  it('of all casas has the original’s order of each day: by name before 2024-01-30', async () => {
    await seedCloses('usd/blue', ['2024-01-29', 1195, 1215])
    await seedCloses('usd/oficial', ['2024-01-29', 804, 844])
    await buildFiles(art('2024-01-31 00:10'))
    await seedBoard(art('2024-01-31 12:00'), {
      quotes: (['USD/BLUE', 'USD/OFICIAL'] as const).map((pair) => aBoardQuote(pair)),
    })
    const response = await openCompatibility({}, art('2024-01-31 12:00')).fetch(
      '/v1/cotizaciones/dolares',
    )
    const rows = (await response.json()) as any[]
    expect(rows.map(({ fecha, casa }) => `${fecha} ${casa}`)).toEqual([
      '2024-01-29 blue',
      '2024-01-29 oficial',
      '2024-01-30 oficial',
      '2024-01-30 blue',
      '2024-01-31 oficial',
      '2024-01-31 blue',
    ])
  })

  it.each([
    [
      'finanzas/indices/riesgo-pais',
      [
        { valor: 519, fecha: '2026-03-01' },
        { valor: 519, fecha: '2026-03-02' },
        { valor: 520, fecha: '2026-03-03' },
      ],
    ],
    [
      'finanzas/indices/uva',
      [
        { fecha: '2026-03-02', valor: 1700.12 },
        { fecha: '2026-03-03', valor: 1701 },
      ],
    ],
    [
      'cotizaciones/dolares/blue',
      [
        { casa: 'blue', compra: 1410.5, venta: 1430.25, fecha: '2026-02-28' },
        { casa: 'blue', compra: 1410.5, venta: 1430.25, fecha: '2026-03-01' },
        { casa: 'blue', compra: 1420, venta: 1440, fecha: '2026-03-02' },
        { casa: 'blue', compra: 1425, venta: 1445, fecha: '2026-03-03' },
      ],
    ],
  ])('of %s is in the original’s bytes, without the database', async (name, rows) => {
    await seedHistory()
    const response = await openCompatibility({ DB: untouchable }).fetch(`/v1/${name}`)
    expect(await response.text()).toBe(JSON.stringify(rows, null, 2))
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
  })

  it('of Bluelytics is newest first, official before blue, with two decimals', async () => {
    await seedHistory()
    expect(await (await openCompatibility().fetch('/v2/evolution.json')).text()).toBe(
      '[{"date":"2026-03-03","source":"Oficial","value_sell":1451.00,"value_buy":1401.00},' +
        '{"date":"2026-03-03","source":"Blue","value_sell":1445.00,"value_buy":1425.00},' +
        '{"date":"2026-03-02","source":"Oficial","value_sell":1450.00,"value_buy":1400.00},' +
        '{"date":"2026-03-02","source":"Blue","value_sell":1440.00,"value_buy":1420.00},' +
        '{"date":"2026-03-01","source":"Oficial","value_sell":1450.00,"value_buy":1400.00},' +
        '{"date":"2026-03-01","source":"Blue","value_sell":1430.25,"value_buy":1410.50},' +
        '{"date":"2026-02-28","source":"Blue","value_sell":1430.25,"value_buy":1410.50}]',
    )
  })

  it.each([
    ['', 7],
    ['?days=3', 3],
    ['?days=0', 0],
    ['?days=x', 7],
  ])(
    'of Bluelytics with “%s” has %i rows, in CSV too, and tags of their own',
    async (query, count) => {
      await seedHistory()
      const edge = openCompatibility()
      const json = await edge.fetch(`/v2/evolution.json${query}`)
      const rows = (await json.json()) as any[]
      expect(rows).toHaveLength(count)
      const csv = await edge.fetch(`/v2/evolution.csv${query}`)
      expect(csv.headers.get('Content-Type')).toBe('text/csv')
      const lines = rows.map(({ date, source, value_buy, value_sell }) =>
        [date, source, value_buy.toFixed(2), value_sell.toFixed(2)].join(','),
      )
      const table = ['day,type,value_buy,value_sell', ...lines, '']
      expect((await csv.text()).split('\n')).toEqual(table)

      const tags = [json, csv, await edge.fetch('/v2/evolution.json?days=2')].map(({ headers }) =>
        headers.get('ETag'),
      )
      expect(new Set(tags).size).toBe(3)
    },
  )

  it('tells that today’s rows are replayed where the nightly files are real', async () => {
    await seedHistory()
    const path = '/v1/cotizaciones/dolares/blue'
    const live = await openCompatibility().fetch(`${path}/`)
    expect(live.headers.get('X-Service-Mode')).toBeNull()
    expect(live.headers.get('Cache-Control')).toBe('public, max-age=60')

    await seedBoard(NOON, { mode: 'upstream', quotes: [aBoardQuote('USD/BLUE')] })
    const replayed = await openCompatibility().fetch(path)
    expect(replayed.headers.get('X-Service-Mode')).toBe('upstream')
    expect(replayed.headers.get('ETag')).not.toBe(live.headers.get('ETag'))
    // Of another list it has nothing today: all of that one is real.
    const uva = await openCompatibility().fetch('/v1/finanzas/indices/uva')
    expect(uva.headers.get('X-Service-Mode')).toBeNull()
  })

  it('ends where the files end while last night’s are not there: no day is missing inside', async () => {
    await seedHistory()
    const late = openCompatibility({}, art('2026-03-04 00:01'))
    await seedBoard(art('2026-03-04 00:00'), { quotes: [aBoardQuote('USD/BLUE')] })
    const rows = (await (await late.fetch('/v1/cotizaciones/dolares/blue')).json()) as any[]
    expect(rows.at(-1).fecha).toBe('2026-03-02')
  })

  it('of a new installation is today’s row, from its first values on', async () => {
    const quotes = [aBoardQuote('USD/BLUE', { buy: 1425, sell: 1445 })]
    await seedBoard(NOON, { quotes })
    await buildFiles(NOON)

    const response = await openCompatibility().fetch('/v1/cotizaciones/dolares/blue')
    expect(await response.json()).toEqual([
      { casa: 'blue', compra: 1425, venta: 1445, fecha: '2026-03-03' },
    ])
    expect((await openCompatibility().fetch('/datos/archivos.json')).status).toBe(503)
  })
})

it.each([
  ['/v1/cotizaciones/dolares/cripto', 'Not found'],
  ['/v1/cotizaciones/dolares/solidario', 'Not found'],
  ['/v1/cotizaciones/dolares/blue/2026/03/04', 'Not found'],
  ['/v1/cotizaciones/dolares/blue/2010/01/01', 'Not found'],
  ['/v1/cotizaciones/dolares/%00/2026/03/01', 'Not found'],
  ['/v1/cotizaciones/eur/2026/03/04', 'Not found'],
  ['/v1/cotizaciones/EUR/2026/03/01', 'Not found'],
  ['/v2/historical', 'Error: parsing day parameter: use YYYY-MM-DD'],
  ['/v2/historical?day=2010-01-01', 'Error: day not found'],
  ['/v2/historical?day=2026-03-04', 'Error: day not found'],
])('%s is the original’s 404', async (path, error) => {
  await seedHistory()
  await seedPoints('usd/blue', ['2026-02-27 15:00', 1410, 1430.5])
  await seedPoints('eur/oficial', ['2026-02-27 15:00', 1600, 1700])
  const response = await openCompatibility().fetch(path)
  expect(response.status).toBe(404)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
  expect(await response.json()).toEqual({ error })
})

it.each(['/v1/dolares', '/v1/cotizaciones/dolares', '/v2/historical?day=2026-03-01'])(
  'a preflight of %s may ask for any header, as there',
  async (path) => {
    const preflight = await openCompatibility().fetch(path, {
      method: 'OPTIONS',
      headers: { 'Access-Control-Request-Headers': 'cache-control,expires,pragma,x-anything' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toBe(
      'cache-control,expires,pragma,x-anything',
    )
  },
)
