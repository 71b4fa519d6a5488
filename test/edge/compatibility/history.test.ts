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

/** Points of a Friday, and one of the 3rd. */
async function seedDays(): Promise<void> {
  await seedPoints('usd/blue', ['2026-02-27 15:00', 1410, 1430.5])
  await seedPoints('usd/oficial', ['2026-02-27 11:00', 1400, 1450], ['2026-03-03 11:00', 1, 2])
  await seedPoints('eur/blue', ['2026-02-27 15:00', 1600, 1700])
}

describe('a whole history', () => {
  it('of one casa has each day, today from the board, in the original’s bytes', async () => {
    await seedHistory()
    const response = await openCompatibility({ DB: untouchable }).fetch(
      '/v1/cotizaciones/dolares/blue',
    )

    expect(await response.text()).toBe(
      JSON.stringify(
        [
          { casa: 'blue', compra: 1410.5, venta: 1430.25, fecha: '2026-02-28' },
          { casa: 'blue', compra: 1410.5, venta: 1430.25, fecha: '2026-03-01' },
          { casa: 'blue', compra: 1420, venta: 1440, fecha: '2026-03-02' },
          { casa: 'blue', compra: 1425, venta: 1445, fecha: '2026-03-03' },
        ],
        null,
        2,
      ),
    )
  })

  it('of all casas has the original’s order of each day: by name before 2024-01-30', async () => {
    await seedCloses('usd/blue', ['2024-01-29', 1195, 1215])
    await seedCloses('usd/oficial', ['2024-01-29', 804, 844])
    await seedCloses('usd/cripto', ['2024-01-29', 1200, 1240])
    await buildFiles(art('2024-01-31 00:10'))
    await seedBoard(art('2024-01-31 12:00'), {
      quotes: (['USD/BLUE', 'USD/OFICIAL', 'USD/CRIPTO'] as const).map((pair) => aBoardQuote(pair)),
    })
    const response = await openCompatibility({}, art('2024-01-31 12:00')).fetch(
      '/v1/cotizaciones/dolares',
    )
    const rows = (await response.json()) as any[]
    expect(rows.map(({ fecha, casa }) => `${fecha} ${casa}`)).toEqual([
      '2024-01-29 blue',
      '2024-01-29 cripto',
      '2024-01-29 oficial',
      '2024-01-30 oficial',
      '2024-01-30 blue',
      '2024-01-30 cripto',
      '2024-01-31 oficial',
      '2024-01-31 blue',
      '2024-01-31 cripto',
    ])
  })

  it('of all casas is by day, then in the original’s order', async () => {
    await seedHistory()
    const rows = (await (
      await openCompatibility().fetch('/v1/cotizaciones/dolares')
    ).json()) as any[]
    expect(rows.map(({ fecha, casa }) => `${fecha} ${casa}`)).toEqual([
      '2026-02-28 blue',
      '2026-03-01 oficial',
      '2026-03-01 blue',
      '2026-03-02 oficial',
      '2026-03-02 blue',
      '2026-03-03 oficial',
      '2026-03-03 blue',
    ])
  })

  it.each([
    [
      'riesgo-pais',
      [
        { valor: 519, fecha: '2026-03-01' },
        { valor: 519, fecha: '2026-03-02' },
        { valor: 520, fecha: '2026-03-03' },
      ],
    ],
    [
      'uva',
      [
        { fecha: '2026-03-02', valor: 1700.12 },
        { fecha: '2026-03-03', valor: 1701 },
      ],
    ],
  ])('of %s is in the original’s bytes', async (name, rows) => {
    await seedHistory()
    const response = await openCompatibility().fetch(`/v1/finanzas/indices/${name}`)
    expect(await response.text()).toBe(JSON.stringify(rows, null, 2))
  })

  it('of the country risk ends with what its `ultimo` answers', async () => {
    await seedHistory()
    const edge = openCompatibility()
    const list = await edge.fetch('/v1/finanzas/indices/riesgo-pais')
    const last = await edge.fetch('/v1/finanzas/indices/riesgo-pais/ultimo')
    expect(await last.json()).toEqual(((await list.json()) as unknown[]).at(-1))
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

  it('of Bluelytics as CSV is in the original’s bytes', async () => {
    await seedHistory()
    const response = await openCompatibility().fetch('/v2/evolution.csv')
    expect(response.headers.get('Content-Type')).toBe('text/csv')
    expect(await response.text()).toBe(
      'day,type,value_buy,value_sell\n' +
        '2026-03-03,Oficial,1401.00,1451.00\n' +
        '2026-03-03,Blue,1425.00,1445.00\n' +
        '2026-03-02,Oficial,1400.00,1450.00\n' +
        '2026-03-02,Blue,1420.00,1440.00\n' +
        '2026-03-01,Oficial,1400.00,1450.00\n' +
        '2026-03-01,Blue,1410.50,1430.25\n' +
        '2026-02-28,Blue,1410.50,1430.25\n',
    )
  })

  it.each(['', '?days=0', '?days=1', '?days=3', '?days=7', '?days=8', '?days=x'])(
    'of Bluelytics as CSV with “%s” has the rows that JSON has',
    async (query) => {
      await seedHistory()
      const rows = (await (
        await openCompatibility().fetch(`/v2/evolution.json${query}`)
      ).json()) as any[]
      const csv = await (await openCompatibility().fetch(`/v2/evolution.csv${query}`)).text()
      expect(csv).toBe(
        [
          'day,type,value_buy,value_sell',
          ...rows.map(({ date, source, value_buy, value_sell }) =>
            [date, source, value_buy.toFixed(2), value_sell.toFixed(2)].join(','),
          ),
          '',
        ].join('\n'),
      )
    },
  )

  it.each([
    ['?days=1', 1],
    ['?days=3', 3],
    ['?days=0', 0],
    ['?days=7', 7],
    ['?days=500', 7],
    ['?days=10000', 7],
    ['?days=x', 7],
    ['?days=-1', 7],
    ['?days=', 7],
    ['', 7],
  ])('of Bluelytics with “%s” has %i rows', async (query, count) => {
    await seedHistory()
    const response = await openCompatibility().fetch(`/v2/evolution.json${query}`)
    const rows = (await response.json()) as unknown[]
    expect(rows).toHaveLength(count)
    const etag = response.headers.get('ETag')!
    const again = await openCompatibility().fetch(`/v2/evolution.json${query}`, {
      headers: { 'If-None-Match': etag },
    })
    expect(again.status).toBe(304)
  })

  it('of Bluelytics answers 304 to no tag of another number of rows', async () => {
    await seedHistory()
    const paths = ['json', 'csv'].flatMap((form) =>
      ['', '?days=1', '?days=3'].map((query) => `/v2/evolution.${form}${query}`),
    )
    const tags = await Promise.all(
      paths.map(async (path) => {
        const response = await openCompatibility().fetch(path)
        await response.text()
        const head = await openCompatibility().fetch(path, { method: 'HEAD' })
        expect(head.headers.get('ETag')).toBe(response.headers.get('ETag'))
        return response.headers.get('ETag')!
      }),
    )
    for (const path of paths) {
      const others = tags.filter((_, index) => paths[index] !== path)
      const response = await openCompatibility().fetch(path, {
        headers: { 'If-None-Match': others.join(', ') },
      })
      expect(response.status, path).toBe(200)
      await response.text()
    }
  })

  it.each(['/v1/cotizaciones/dolares/blue', '/v2/evolution.json', '/v2/evolution.json?days=1'])(
    'tells simulated prices: %s',
    async (path) => {
      await seedHistory('demo')
      expect((await openCompatibility().fetch(path)).headers.get('X-Service-Mode')).toBe('demo')
    },
  )

  it('tells that today’s rows are replayed where the nightly files are real', async () => {
    await seedHistory()
    const path = '/v1/cotizaciones/dolares/blue'
    expect((await openCompatibility().fetch(path)).headers.get('X-Service-Mode')).toBeNull()

    await seedBoard(NOON, { mode: 'upstream', quotes: [aBoardQuote('USD/BLUE')] })
    expect((await openCompatibility().fetch(path)).headers.get('X-Service-Mode')).toBe('upstream')
    // Of another list it has nothing today: all of that one is real.
    const uva = await openCompatibility().fetch('/v1/finanzas/indices/uva')
    expect(uva.headers.get('X-Service-Mode')).toBeNull()
  })

  it('has a tag, answers 304 and HEAD, and another tag when today changes', async () => {
    await seedHistory()
    const path = '/v1/cotizaciones/dolares/blue'
    const first = await openCompatibility().fetch(path)
    const etag = first.headers.get('ETag')!
    expect(first.headers.get('Cache-Control')).toBe('public, max-age=60')
    expect(first.headers.get('Access-Control-Allow-Origin')).toBe('*')
    await first.text()

    const again = await openCompatibility().fetch(path, { headers: { 'If-None-Match': etag } })
    expect(again.status).toBe(304)
    const head = await openCompatibility().fetch(`${path}/`, { method: 'HEAD' })
    expect([head.status, head.headers.get('ETag'), await head.text()]).toEqual([200, etag, ''])

    await seedBoard(NOON, { quotes: [aBoardQuote('USD/BLUE', { sell: 1446 })] })
    const changed = await openCompatibility().fetch(path)
    expect(changed.headers.get('ETag')).not.toBe(etag)
    await changed.text()
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

  it('without files asks to come again', async () => {
    await seedBoard(NOON, { quotes: [aBoardQuote('USD/BLUE')] })
    const response = await openCompatibility().fetch('/v1/cotizaciones/dolares')
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '300'])
    expect(await response.json()).toEqual({ error: 'El historial todavía no está publicado' })
  })

  it.each(['/v1/cotizaciones/dolares/solidario', '/v1/cotizaciones/dolares/cripto'])(
    '%s has nothing: the original’s 404',
    async (path) => {
      await seedHistory()
      const response = await openCompatibility().fetch(path)
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({ error: 'Not found' })
    },
  )
})

describe('a day', () => {
  it('of one casa is one object, of a weekend the value before', async () => {
    await seedDays()
    const response = await openCompatibility().fetch('/v1/cotizaciones/dolares/blue/2026/03/01')
    expect(await response.text()).toBe(
      '{\n  "casa": "blue",\n  "compra": 1410,\n  "venta": 1430.5,\n  "fecha": "2026-03-01"\n}',
    )
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=86400')
    expect(response.headers.get('ETag')).toBeTruthy()
  })

  it.each([
    ['2024/01/29', ['blue', 'oficial']],
    ['2024/01/30', ['oficial', 'blue']],
  ])('of all casas on %s is in the original’s order of that day', async (day, casas) => {
    await seedPoints('usd/blue', ['2024-01-15 15:00', 1195, 1215])
    await seedPoints('usd/oficial', ['2024-01-15 15:00', 804, 844])
    const rows = await (await openCompatibility().fetch(`/v1/cotizaciones/dolares/${day}`)).json()
    expect((rows as any[]).map(({ casa }) => casa)).toEqual(casas)
  })

  it('of all casas is a list; today has the value of now', async () => {
    await seedDays()
    const response = await openCompatibility().fetch('/v1/cotizaciones/dolares/2026/03/03')
    expect(await response.json()).toEqual([
      { casa: 'oficial', compra: 1, venta: 2, fecha: '2026-03-03' },
      { casa: 'blue', compra: 1410, venta: 1430.5, fecha: '2026-03-03' },
    ])
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=60')
  })

  it('of Bluelytics has its groups', async () => {
    await seedDays()
    expect(
      await (await openCompatibility().fetch('/v2/historical?day=2026-03-01&x=1')).text(),
    ).toBe(
      '{"oficial":{"value_avg":1425.00,"value_sell":1450.00,"value_buy":1400.00},' +
        '"blue":{"value_avg":1420.25,"value_sell":1430.50,"value_buy":1410.00},' +
        '"blue_euro":{"value_avg":1650.00,"value_sell":1700.00,"value_buy":1600.00}}',
    )
  })

  it.each([
    ['/v1/cotizaciones/dolares/blue/2026/03/04', 'Not found'],
    ['/v1/cotizaciones/dolares/blue/2026/02/30', 'Not found'],
    ['/v1/cotizaciones/dolares/blue/2026/13/01', 'Not found'],
    ['/v1/cotizaciones/dolares/blue/26/3/1', 'Not found'],
    ['/v1/cotizaciones/dolares/blue/2010/01/01', 'Not found'],
    ['/v1/cotizaciones/dolares/solidario/2026/03/01', 'Not found'],
    ['/v1/cotizaciones/dolares/2010/01/01', 'Not found'],
    ['/v1/cotizaciones/dolares/2026/03', 'Not found'],
    ['/v1/cotizaciones/dolares/%00/2026/03/01', 'Not found'],
    ['/v1/cotizaciones/eur/2026/03/04', 'Not found'],
    ['/v1/cotizaciones/eur/2026/02/30', 'Not found'],
    ['/v1/cotizaciones/eur/2010/01/01', 'Not found'],
    ['/v1/cotizaciones/EUR/2026/03/01', 'Not found'],
    ['/v1/cotizaciones/ars/2026/03/01', 'Not found'],
    ['/v2/historical', 'Error: parsing day parameter: use YYYY-MM-DD'],
    ['/v2/historical?day=2026-02-30', 'Error: parsing day parameter: use YYYY-MM-DD'],
    ['/v2/historical?day=2010-01-01', 'Error: day not found'],
    ['/v2/historical?day=2026-03-04', 'Error: day not found'],
  ])('%s is the original’s 404', async (path, error) => {
    await seedDays()
    const response = await openCompatibility().fetch(path)
    expect(response.status).toBe(404)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(await response.json()).toEqual({ error })
  })

  it('without the database is a 503', async () => {
    const response = await openCompatibility({ DB: untouchable }).fetch(
      '/v2/historical?day=2026-03-01',
    )
    expect(response.status).toBe(503)
    expect(response.headers.get('Retry-After')).toBeTruthy()
  })

  it.each(['POST', 'PUT', 'DELETE'])('refuses %s', async (method) => {
    const response = await openCompatibility().fetch('/v2/historical?day=2026-03-01', { method })
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })
})

it.each([
  ['/v1/dolares', 200],
  ['/v1/finanzas/indices/uva', 200],
  ['/v2/evolution.json', 200],
  ['/v2/evolution.json?days=1', 200],
  ['/v1/cotizaciones/dolares/2026/03/01', 200],
  ['/v2/historical?day=2026-03-01', 200],
  ['/v1/cotizaciones/dolares/solidario', 404],
  ['/v2/historical', 404],
])('%s states its charset, for clients that would read Latin-1', async (path, status) => {
  await seedDays()
  await seedHistory()
  const response = await openCompatibility().fetch(path)
  expect(response.status).toBe(status)
  expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
  await response.text()
})

it('errors of a compatibility address state it too', async () => {
  const edge = openCompatibility({ DB: untouchable })
  for (const [path, init] of [
    ['/v1/dolares', {}],
    ['/v1/dolares', { method: 'POST' }],
    ['/v1/cotizaciones/dolares', {}],
    ['/v2/historical?day=2026-03-01', {}],
  ] as const) {
    const response = await edge.fetch(path, init)
    expect(response.status).toBeGreaterThan(400)
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
  }
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
