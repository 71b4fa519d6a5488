/** The addresses, bytes and limits of the other services, for their clients. */
import { beforeEach, expect, it } from 'vitest'
import { current } from '../../shared/api/compatibility.ts'
import { pairKey, PAIRS } from '../../shared/market/catalog.ts'
import { buildFiles } from '../support/nightly-files.ts'
import { type EdgeBindings, openEdge } from '../support/edge.ts'
import { failing } from '../support/faulty-database.ts'
import { art } from '../support/instant.ts'
import { seedHistory } from '../support/points.ts'
import { aBoardQuote, seedBoard } from '../support/board.ts'

const NOON = art('2026-03-03 12:00:30')
const LATE = { updatedAt: '2026-03-03T11:57:00.000-03:00' }

/** The board's values: differences for the pairs whose bytes are compared. */
const VALUES: Partial<Record<string, Parameters<typeof aBoardQuote>[1]>> = {
  'USD/BLUE': { buy: 1425, sell: 1445.5, ...LATE },
  'USD/BNA': LATE,
  'USD/OFICIAL': { buy: 1401, sell: 1451 },
  'EUR/OFICIAL': { buy: 1738.979, sell: 1753.2304 },
  'EUR/BLUE': { buy: 1638.005, sell: 1674 },
  // Printed as of today, whenever the value took effect.
  'ARG/RIESGO': { sell: 520, updatedAt: '2026-02-27T18:00:00.000-03:00' },
  'ARG/UVA': { sell: 1701 },
}
const ALL = PAIRS.map((pair) => aBoardQuote(pairKey(pair), VALUES[pairKey(pair)]))

function open({ now = NOON, ...more }: { now?: number } & EdgeBindings = {}) {
  return openEdge({ now, env: { COMPATIBILITY: 'on', ...more } })
}

const get = async (path: string) => {
  const response = await open().fetch(path)
  return { response, text: await response.text() }
}

const json = (path: string, options: { now?: number } = {}) => open(options).json(path)

/** Points and nightly files up to 2 March, and a board and a point of the 3rd. */
beforeEach(async () => {
  const histories: Record<string, Parameters<typeof seedHistory>[1][]> = {
    'usd/blue': [
      ['2026-02-28 11:00', 1410.5, 1430.25],
      ['2026-03-02 11:00', 1420, 1440],
      ['2026-03-03 11:00', 1425, 1445.5],
    ],
    'usd/oficial': [['2026-03-01 11:00', 1400, 1450]],
    'eur/oficial': [['2026-02-28 11:00', 1600, 1620.25]],
    'eur/blue': [['2026-02-28 11:00', 1610, 1630]],
    'clp/oficial': [['2024-01-19 10:00', 0.9, 0.91]],
    'arg/riesgo': [['2026-03-01 11:00', 519, 519]],
    'arg/uva': [['2026-03-02 00:00', 1700.12, 1700.12]],
  }
  for (const [key, points] of Object.entries(histories)) await seedHistory(key, ...points)
  await buildFiles(art('2026-03-03 00:10'))
  await seedBoard(NOON, { quotes: ALL })
})

const blueOn = (fecha: string, compra: number, venta: number, casa = 'blue') => {
  return { casa, compra, venta, fecha }
}
const groupOf = (buy: string, sell: string, average: string) =>
  `{"value_avg":${average},"value_sell":${sell},"value_buy":${buy}}`
const rowOf = (date: string, source: string, sell: string, buy: string) =>
  `{"date":"${date}","source":"${source}","value_sell":${sell},"value_buy":${buy}}`

// Keys, order, spaces and decimals equal the originals.
it.each<[path: string, body: string | object]>([
  [
    '/v1/dolares/blue',
    {
      moneda: 'USD',
      casa: 'blue',
      nombre: 'Blue',
      compra: 1425,
      venta: 1445.5,
      fechaActualizacion: '2026-03-03T14:57:00.000Z',
    },
  ],
  ['/v1/finanzas/indices/riesgo-pais/ultimo', { valor: 520, fecha: '2026-03-03' }],
  [
    '/v2/latest',
    `{"oficial":${groupOf('1401.00', '1451.00', '1426.00')},` +
      `"blue":${groupOf('1425.00', '1445.50', '1435.25')},` +
      `"oficial_euro":${groupOf('1738.98', '1753.23', '1746.10')},` +
      `"blue_euro":${groupOf('1638.01', '1674.00', '1656.00')},` +
      '"last_update":"2026-03-03T11:57:00.000-03:00"}',
  ],
  [
    '/v1/finanzas/indices/riesgo-pais',
    [
      { valor: 519, fecha: '2026-03-01' },
      { valor: 519, fecha: '2026-03-02' },
      { valor: 520, fecha: '2026-03-03' },
    ],
  ],
  [
    '/v1/finanzas/indices/uva',
    [
      { fecha: '2026-03-02', valor: 1700.12 },
      { fecha: '2026-03-03', valor: 1701 },
    ],
  ],
  [
    '/v1/cotizaciones/dolares/blue',
    [
      blueOn('2026-02-28', 1410.5, 1430.25),
      blueOn('2026-03-01', 1410.5, 1430.25),
      blueOn('2026-03-02', 1420, 1440),
      blueOn('2026-03-03', 1425, 1445.5),
    ],
  ],
  [
    '/v2/evolution.json',
    `[${[
      rowOf('2026-03-03', 'Oficial', '1451.00', '1401.00'),
      rowOf('2026-03-03', 'Blue', '1445.50', '1425.00'),
      rowOf('2026-03-02', 'Oficial', '1450.00', '1400.00'),
      rowOf('2026-03-02', 'Blue', '1440.00', '1420.00'),
      rowOf('2026-03-01', 'Oficial', '1450.00', '1400.00'),
      rowOf('2026-03-01', 'Blue', '1430.25', '1410.50'),
      rowOf('2026-02-28', 'Blue', '1430.25', '1410.50'),
    ].join()}]`,
  ],
  ['/v1/cotizaciones/dolares/blue/2026/03/01', blueOn('2026-03-01', 1410.5, 1430.25)],
  ['/v1/cotizaciones/dolares/blue/2026/03/03', blueOn('2026-03-03', 1425, 1445.5)],
  [
    '/v1/cotizaciones/dolares/2026/03/01',
    [blueOn('2026-03-01', 1400, 1450, 'oficial'), blueOn('2026-03-01', 1410.5, 1430.25)],
  ],
  [
    '/v1/cotizaciones/usd/2026/03/01',
    { moneda: 'USD', ...blueOn('2026-03-01', 1400, 1450, 'oficial') },
  ],
  [
    '/v1/cotizaciones/clp/2024/01/20',
    { moneda: 'CLP', ...blueOn('2024-01-20', 0.9, 0.91, 'oficial') },
  ],
  // Before that day the original's files have no casa.
  [
    '/v1/cotizaciones/clp/2024/01/19',
    { moneda: 'CLP', compra: 0.9, venta: 0.91, fecha: '2024-01-19' },
  ],
  [
    '/v2/historical?day=2026-03-02',
    `{"oficial":${groupOf('1400.00', '1450.00', '1425.00')},` +
      `"blue":${groupOf('1420.00', '1440.00', '1430.00')},` +
      `"oficial_euro":${groupOf('1600.00', '1620.25', '1610.13')},` +
      `"blue_euro":${groupOf('1610.00', '1630.00', '1620.00')}}`,
  ],
])('%s answers byte by byte as the original service does', async (path, body) => {
  const isOfDay = /\/\d{4}\/|day=/.test(path)
  const maxAge = isOfDay && !path.endsWith('/2026/03/03') ? 86_400 : 60
  const response = await open(isOfDay ? {} : { DB: failing('') }).fetch(path)
  expect(await response.text()).toBe(
    typeof body === 'string' ? body : JSON.stringify(body, null, 2),
  )
  expect(response.headers.get('Cache-Control')).toBe(`public, max-age=${maxAge}`)
})

const DOLLARS =
  'oficial:Oficial blue:Blue bolsa:Bolsa contadoconliqui:Contado con liquidación mayorista:Mayorista cripto:Cripto tarjeta:Tarjeta'
const CURRENCIES =
  'oficial:Dólar oficial:Euro oficial:Real Brasileño oficial:Peso Chileno oficial:Peso Uruguayo'

it.each([
  ['/v1/dolares', DOLLARS],
  ['/v1/ambito/dolares', `${DOLLARS} bna:BNA`],
  ['/v1/cotizaciones', CURRENCIES],
])('%s lists the originals’ names in their order', async (path, names) => {
  const rows = (await json(path)) as { casa: string; nombre: string }[]
  expect(rows.map(({ casa, nombre }) => `${casa}:${nombre}`).join(' ')).toBe(names)
})

it('a day lists its casas in the original’s sequence, which changed a day later in the list of all days', async () => {
  for (const pair of ['usd/blue', 'usd/oficial'])
    await seedHistory(pair, ['2024-01-29 15:00', 1195, 1215])
  await buildFiles(art('2024-01-31 00:10'))
  const now = art('2024-01-31 12:00')
  await seedBoard(now, { quotes: [aBoardQuote('USD/BLUE'), aBoardQuote('USD/OFICIAL')] })
  const namesIn = async (path: string) => {
    const rows: { fecha: string; casa: string }[] = await json(path, { now })
    return rows.map(({ fecha, casa }) => `${fecha.slice(-2)} ${casa}`).join(', ')
  }
  expect(await namesIn('/v1/cotizaciones/dolares')).toBe(
    '29 blue, 29 oficial, 30 blue, 30 oficial, 31 oficial, 31 blue',
  )
  expect(await namesIn('/v1/cotizaciones/dolares/2024/01/29')).toBe('29 blue, 29 oficial')
  expect(await namesIn('/v1/cotizaciones/dolares/2024/01/30')).toBe('30 oficial, 30 blue')
})

it('the Ámbito addresses give the change of the day in percent, and the original’s sequence of fields', async () => {
  const dollars = (await json('/v1/ambito/dolares')) as object[]
  expect(dollars.at(-1)).toMatchObject({ casa: 'bna', variacion: 2.14 })
  const own = 'moneda casa nombre compra venta'
  expect(Object.keys(dollars[0]!).join(' ')).toBe(`${own} fechaActualizacion variacion`)
  expect(Object.keys(dollars.at(-1)!).join(' ')).toBe(`${own} variacion fechaActualizacion`)

  await seedBoard(NOON, { quotes: [aBoardQuote('USD/CCL', { referenceSell: null })] })
  expect(await json('/v1/ambito/dolares/contadoconliqui')).toMatchObject({ variacion: 0 })
})

it.each([
  [ALL, 'Disponible'],
  [[], 'No disponible'],
])('/v1/estado says whether there are quotes', async (quotes, estado) => {
  await seedBoard(NOON, { quotes })
  expect(await json('/v1/estado')).toEqual({ estado, aleatorio: expect.any(Number) })
})

const NOT_FOUND = '{"error":"Not found"}'
const NO_DAY = '{"error":"Error: day not found"}'

it.each([
  ['/v1/dolares/solidario', ''],
  ['/v1/dolares/BLUE', ''],
  ['/v1/cotizaciones/ars', ''],
  ['/v2/xyz', '{"error":"Error: not found"}'],
  ['/v1/cotizaciones/dolares/solidario', NOT_FOUND],
  ['/v1/cotizaciones/dolares/blue/2026/03/04', NOT_FOUND],
  ['/v1/cotizaciones/dolares/%00/2026/03/01', NOT_FOUND],
  ['/v1/cotizaciones/EUR/2026/03/01', NOT_FOUND],
  ['/v2/historical', '{"error":"Error: parsing day parameter: use YYYY-MM-DD"}'],
  ['/v2/historical?day=2010-01-01', NO_DAY],
  ['/v2/historical?day=2026-03-04', NO_DAY],
])('%s answers with the original’s 404', async (path, body) => {
  const { response, text } = await get(path)
  expect([response.status, text]).toEqual([404, body])
})

const NAMES = {
  casa: 'oficial blue bolsa contadoconliqui mayorista cripto tarjeta'.split(' '),
  moneda: 'usd eur brl clp uyu'.split(' '),
}
const ABOUT_NOW = Object.values(current).flatMap(({ path }) =>
  path.includes('{casa}')
    ? NAMES.casa.map((name) => path.replace('{casa}', name))
    : path.includes('{moneda}')
      ? NAMES.moneda.map((name) => path.replace('{moneda}', name))
      : [path],
)

it('every address about now is read with or without a slash at its end, whatever its query, without the database', async () => {
  const edge = open({ DB: failing('') })
  for (const path of ABOUT_NOW) {
    const whole = await edge.fetch(`${path}?_=123`)
    expect(whole.status, path).toBe(200)
    const other = await edge.fetch(`${path}/`)
    expect([other.status, other.headers.get('ETag')]).toEqual([200, whole.headers.get('ETag')])
  }
})

it.each(['off', 'On', ''])(
  'every address about now belongs to the site while the switch is “%s”',
  async (COMPATIBILITY) => {
    const edge = open({ COMPATIBILITY })
    for (const path of ABOUT_NOW) expect(await (await edge.fetch(path)).text(), path).toBe('site')
  },
)

it.each([
  ['', 7],
  ['?days=3', 3],
  ['?days=0', 0],
  ['?days=x', 7],
])(
  'a whole history of Bluelytics with “%s” has %i rows, in JSON and in CSV',
  async (query, count) => {
    const rows = await json(`/v2/evolution.json${query}`)
    expect(rows).toHaveLength(count)
    const csv = await get(`/v2/evolution.csv${query}`)
    expect(csv.response.headers.get('Content-Type')).toBe('text/csv')
    const lines = rows.map(({ date, source, value_buy, value_sell }: any) =>
      [date, source, value_buy.toFixed(2), value_sell.toFixed(2)].join(','),
    )
    expect(csv.text.split('\n')).toEqual(['day,type,value_buy,value_sell', ...lines, ''])
  },
)

it('a whole history has the header of replayed rows when the nightly files are real and today’s are not', async () => {
  const path = '/v1/cotizaciones/dolares/blue'
  const live = await open().fetch(`${path}/`)
  expect(live.headers.get('X-Service-Mode')).toBeNull()

  await seedBoard(NOON, { mode: 'upstream', quotes: [aBoardQuote('USD/BLUE')] })
  const replayed = await open().fetch(path)
  expect(replayed.headers.get('X-Service-Mode')).toBe('upstream')
  expect(replayed.headers.get('ETag')).not.toBe(live.headers.get('ETag'))
  // For another list there is no value today: all its rows are of closed days.
  const uva = await open().fetch('/v1/finanzas/indices/uva')
  expect(uva.headers.get('X-Service-Mode')).toBeNull()
})

it('a whole history ends with the last day of the files until last night’s files exist, so no day is missing inside', async () => {
  await seedBoard(art('2026-03-04 00:00'), { quotes: ALL })
  const rows = await json('/v1/cotizaciones/dolares/blue', { now: art('2026-03-04 00:01') })
  expect(rows.at(-1).fecha).toBe('2026-03-02')
})
