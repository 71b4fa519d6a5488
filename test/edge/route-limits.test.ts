/** Every route that needs no key, and what keeps a stranger from asking the database without end. */
import { expect, it } from 'vitest'
import { randomBytes } from '../../tools/support/random.ts'
import { createApp } from '../../workers/edge/app.ts'
import { openEdge } from '../support/edge.ts'
import { art } from '../support/instant.ts'
import { measuredDatabase } from '../support/measured-database.ts'
import { seedBoard } from '../support/seed.ts'

const NOON = art('2026-03-02 12:00')
const DAY = ':year{[0-9]{4}}/:month{[0-9]{2}}/:day{[0-9]{2}}'

/** So many requests of an address, then 429. */
const DATES = 20
const DAYS = 600
/** One request asks the database for all of its isolate. */
const SHARED = 'shared'
const NO_DATABASE = 'no database'

/** By route: an address of it, and its limit. */
const LIMITS: Record<string, [path: string, limit: number | typeof SHARED | typeof NO_DATABASE]> = {
  '/api/v2/status': ['/api/v2/status', SHARED],
  '/api/v2/stream': ['/api/v2/stream?pairs=usd/blue', NO_DATABASE],
  '/api/v2/date/:date': ['/api/v2/date/2026-03-01', DATES],
  '/api/v2/date/:date/:currency': ['/api/v2/date/2026-03-01/usd', DATES],
  '/api/v2/date/:date/:currency/:origin': ['/api/v2/date/2026-03-01/usd/blue', DATES],
  '/api/v2/invoicing': ['/api/v2/invoicing', DATES],
  '/api/v2/invoicing/:currency': ['/api/v2/invoicing/usd', DATES],
  '/api/v2/convert': ['/api/v2/convert?amount=1&from=USD&to=ARS&date=2026-03-01', DATES],
  [`/v1/cotizaciones/dolares/${DAY}`]: ['/v1/cotizaciones/dolares/2026/03/01', DAYS],
  [`/v1/cotizaciones/dolares/:casa/${DAY}`]: ['/v1/cotizaciones/dolares/blue/2026/03/01', DAYS],
  [`/v1/cotizaciones/:moneda/${DAY}`]: ['/v1/cotizaciones/eur/2026/03/01', DAYS],
  '/v2/historical': ['/v2/historical?day=2026-03-01', DAYS],
  '/v1/cotizaciones/dolares': ['/v1/cotizaciones/dolares', NO_DATABASE],
  '/v1/cotizaciones/dolares/:casa': ['/v1/cotizaciones/dolares/blue', NO_DATABASE],
  '/v1/finanzas/indices/riesgo-pais': ['/v1/finanzas/indices/riesgo-pais', NO_DATABASE],
  '/v1/finanzas/indices/uva': ['/v1/finanzas/indices/uva', NO_DATABASE],
  '/v2/evolution.json': ['/v2/evolution.json', NO_DATABASE],
  '/v2/evolution.csv': ['/v2/evolution.csv', NO_DATABASE],
  '/datos/archivos.json': ['/datos/archivos.json', NO_DATABASE],
  '/datos/SHA256SUMS': ['/datos/SHA256SUMS', NO_DATABASE],
  '/datos/:name': ['/datos/cotizaciones.csv', NO_DATABASE],
}

it('names every route without a key', () => {
  const { routes } = createApp({ now: () => NOON, random: randomBytes })
  const gates = routes.filter(({ handler }) => handler.name === 'apiKey').map(({ path }) => path)
  const isGated = (path: string) =>
    gates.some(
      (gate) => gate === path || (gate.endsWith('/*') && path.startsWith(gate.slice(0, -2))),
    )
  const open = routes.filter(({ method, path }) => method !== 'ALL' && !isGated(path))
  expect(new Set(open.map(({ path }) => path))).toEqual(new Set(Object.keys(LIMITS)))
})

it.each(Object.entries(LIMITS))('%s: %j', async (_, [path, limit]) => {
  await seedBoard(NOON)
  const { db: DB, spent } = measuredDatabase()
  const edge = openEdge({ now: NOON, env: { COMPATIBILITY: 'on', DB } })
  const ask = async () => {
    const { status, body } = await edge.fetch(path, {
      headers: { 'CF-Connecting-IP': '192.0.2.9' },
    })
    await body?.cancel()
    return status
  }
  await ask()
  const first = spent().roundTrips
  for (let sent = 1; sent < (typeof limit === 'number' ? limit : 5); sent++) {
    expect(await ask()).not.toBe(429)
  }
  if (typeof limit === 'number') expect(await ask()).toBe(429)
  if (limit === SHARED) expect(spent().roundTrips).toBe(first)
  if (limit === NO_DATABASE) expect(spent().roundTrips).toBe(0)
})

it('every route of dates counts for the same limit, and a conversion of now for none', async () => {
  const edge = openEdge({ now: NOON })
  const ask = (path: string) => edge.fetch(path, { headers: { 'CF-Connecting-IP': '192.0.2.9' } })
  const dated = Object.values(LIMITS).flatMap(([path, limit]) => (limit === DATES ? [path] : []))
  for (let sent = 0; sent < DATES; sent++) await ask(dated[sent % dated.length]!)
  for (const path of dated) expect((await ask(path)).status, path).toBe(429)
  expect((await ask('/api/v2/convert?amount=1&from=USD&to=ARS')).status).not.toBe(429)
})
