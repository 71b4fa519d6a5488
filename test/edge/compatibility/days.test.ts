/** Days at the compatibility addresses, as the programs that loop over them ask for them. */
import { beforeEach, expect, it } from 'vitest'
import { openEdge } from '../../support/edge.ts'
import { art } from '../../support/instant.ts'
import { seedPoints } from '../../support/points.ts'
import { seedBoard } from '../../support/seed.ts'
import { times } from '../../support/webhook-client.ts'

const NOON = art('2026-03-03 12:00:30')

function openCompatibility() {
  return openEdge({ now: NOON, env: { COMPATIBILITY: 'on' } })
}

beforeEach(async () => {
  for (const pair of ['usd/blue', 'usd/oficial', 'eur/oficial', 'eur/blue', 'arg/riesgo']) {
    await seedPoints(pair, ['2026-02-28 11:00', 1400, 1420.5], ['2026-03-02 11:00', 1410, 1430.25])
  }
  await seedBoard(NOON)
})

const GROUP = '{"value_avg":1420.13,"value_sell":1430.25,"value_buy":1410.00}'
const ROW = { compra: 1400, venta: 1420.5, fecha: '2026-03-01' }

it.each([
  ['/v1/cotizaciones/dolares/blue/2026/03/01', { casa: 'blue', ...ROW }],
  ['/v1/cotizaciones/dolares/2026/03/01', ['oficial', 'blue'].map((casa) => ({ casa, ...ROW }))],
  ['/v1/cotizaciones/eur/2026/03/01', { moneda: 'EUR', casa: 'oficial', ...ROW }],
  [
    '/v2/historical?day=2026-03-02',
    `{"oficial":${GROUP},"blue":${GROUP},"oficial_euro":${GROUP},"blue_euro":${GROUP}}`,
  ],
])('%s has the original’s bytes', async (path, body) => {
  const response = await openCompatibility().fetch(path)
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  expect(await response.text()).toBe(text)
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=86400')
})

it('of a currency has no casa where the original’s file has none: before 2024-01-20', async () => {
  await seedPoints('clp/oficial', ['2024-01-19 10:00', 0.9, 0.91])
  const { fetch } = openCompatibility()
  expect(await (await fetch('/v1/cotizaciones/clp/2024/01/19')).text()).toBe(
    '{\n  "moneda": "CLP",\n  "compra": 0.9,\n  "venta": 0.91,\n  "fecha": "2024-01-19"\n}',
  )
  const later = await fetch('/v1/cotizaciones/clp/2024/01/20')
  expect(await later.json()).toHaveProperty('casa', 'oficial')
  const dollar = { moneda: 'USD', casa: 'oficial', compra: 1400, venta: 1420.5 }
  const ofDollar = await fetch('/v1/cotizaciones/usd/2026/03/01')
  expect(await ofDollar.json()).toEqual({ ...dollar, fecha: '2026-03-01' })
})

async function rowsOn(day: string) {
  const response = await openCompatibility().fetch(`/v1/cotizaciones/dolares/${day}`)
  const rows = (await response.json()) as { casa: string; venta: number }[]
  return [response.headers.get('Cache-Control'), rows.map(({ casa, venta }) => [casa, venta])]
}

it('of all casas is in the original’s order of that day; today has the value of now', async () => {
  await seedPoints('usd/blue', ['2024-01-15 15:00', 1195, 1215], ['2026-03-03 11:00', 1, 2])
  await seedPoints('usd/oficial', ['2024-01-15 15:00', 804, 844])
  const [kept, minute] = ['public, max-age=86400', 'public, max-age=60']
  const [oficial, blue] = [
    ['oficial', 844],
    ['blue', 1215],
  ]
  expect(await rowsOn('2024/01/29')).toEqual([kept, [blue, oficial]])
  expect(await rowsOn('2024/01/30')).toEqual([kept, [oficial, blue]])
  expect(await rowsOn('2026/03/03')).toEqual([
    minute,
    [
      ['oficial', 1430.25],
      ['blue', 2],
    ],
  ])
})

const ask = (edge: ReturnType<typeof openCompatibility>, path: string, address = '198.51.100.7') =>
  edge.fetch(path, { headers: { 'CF-Connecting-IP': address } })
it('the limit of days is 600 a minute of an address over all of them, and then 429 until a minute later', async () => {
  const edge = openCompatibility()
  const paths = ['/v2/historical?day=2026-03-01', '/v1/cotizaciones/eur/2026/03/01']
  const statuses = await times(600, (number) => ask(edge, paths[number % 2]!))
  expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]))

  const refused = await ask(edge, '/v1/cotizaciones/dolares/2026/03/01')
  expect(refused.status).toBe(429)
  expect(refused.headers.get('Retry-After')).toBe('60')
  expect(refused.headers.get('Cache-Control')).toBe('no-store')
  expect(refused.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
  expect(refused.headers.get('Access-Control-Allow-Origin')).toBe('*')
  expect(await refused.text()).toBe('Demasiadas consultas de días: espere un minuto')

  expect((await ask(edge, paths[0]!, '198.51.100.8')).status).toBe(200)
  expect((await ask(edge, '/v1/dolares/blue')).status).toBe(404)
  expect((await ask(edge, '/api/v2/date/2026-03-01/usd/blue')).status).toBe(200)
  edge.clock.now += 59_001
  expect((await ask(edge, paths[0]!)).headers.get('Retry-After')).toBe('1')
  edge.clock.now += 999
  expect((await ask(edge, paths[0]!)).status).toBe(200)
})

it('the limit of days stands behind the platform’s limiter as well', async () => {
  // It is asked beside the answer, so its refusal holds from the next request on.
  const COMPATIBILITY_DAYS = { limit: async () => ({ success: false }) }
  const edge = openEdge({ now: NOON, env: { COMPATIBILITY: 'on', COMPATIBILITY_DAYS } })
  const path = '/v2/historical?day=2026-03-01'
  expect([(await ask(edge, path)).status, (await ask(edge, path)).status]).toEqual([200, 429])
})
