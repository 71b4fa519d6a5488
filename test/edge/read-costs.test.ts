import { beforeEach, expect, it } from 'vitest'
import { addDays, argentineDay, dayEnd, SECOND_MS } from '../../shared/argentine-time.ts'
import { invoicingStatements } from '../../shared/db/quotes/invoicing-tables.ts'
import { PAIRS } from '../../shared/market/catalog.ts'
import { INVOICING_CURRENCIES } from '../../shared/market/invoicing.ts'
import { COMPATIBILITY_CURRENT_PATHS } from '../../workers/edge/compatibility/current.ts'
import { CURRENT_PATHS } from '../../workers/edge/current/current-read.ts'
import { openEdge } from '../support/edge.ts'
import { env } from '../support/env.ts'
import { art } from '../support/instant.ts'
import { measuredDatabase } from '../support/measured-database.ts'
import { seedRows } from '../support/rows.ts'
import { aBoardQuote, seedBoard } from '../support/seed.ts'

const NOON = art('2026-03-05 12:00')
const ALL = PAIRS.map((pair) => aBoardQuote(`${pair.currency}/${pair.origin}`))
const CONVERSION = '/api/v2/convert?amount=100&from=EUR&to=USD&origin=blue'

/** A board, twenty thousand points of hours, and the bank's tables of a year. */
beforeEach(async () => {
  await seedBoard(NOON, { quotes: ALL })
  await seedRows('points', 20_001, {
    pair: '1 + (i - 1) % 19',
    at: `${NOON} - (i - 1) / 19 * 3600000`,
    sell: '(i - 1) % 7',
  })
  const rates = INVOICING_CURRENCIES.map(({ code }) => ({
    currency: code,
    units: 1,
    buy: '1450.5',
    sell: '1460.5',
  }))
  const tables = Array.from({ length: 365 }, (_, ago) => {
    const day = addDays(argentineDay(NOON), -ago)
    return invoicingStatements(
      env.DB,
      { day, publishedAt: null, source: 'test', rates },
      dayEnd(day),
    )
  })
  await env.DB.batch(tables.flat())
})

function openMeasured() {
  const { db: DB, spent, forget } = measuredDatabase()
  return { ...openEdge({ now: NOON, env: { DB, COMPATIBILITY: 'on' } }), spent, forget }
}

it.each([
  ['/api/v2/date/2026-03-05/usd/blue?time=10:00', 1, 1],
  ['/api/v2/date/2026-03-05?time=10:00', 1, PAIRS.length],
  ['/v1/cotizaciones/dolares/2026/03/05', 1, 7],
  [CONVERSION, 0, 0],
  [`${CONVERSION}&date=2026-03-05&time=10:00`, 1, 2],
  ['/api/v2/invoicing/usd?date=2026-03-05', 1, 6],
  ['/api/v2/invoicing?date=2026-03-05', 1, 6 * INVOICING_CURRENCIES.length],
])('GET %s: %i round trips, at most %i rows read', async (path, roundTrips, rowsRead) => {
  const { fetch, spent } = openMeasured()
  expect((await fetch(path)).status).toBe(200)
  expect(spent()).toMatchObject({ roundTrips, rowsWritten: 0 })
  expect(spent().rowsRead).toBeLessThanOrEqual(rowsRead)
})

it('a closed day is read once in a minute', async () => {
  const { fetch, spent, forget } = openMeasured()
  await fetch('/api/v2/date/2026-03-01')
  expect(spent()).toMatchObject({ roundTrips: 1, rowsWritten: 0 })
  expect(spent().rowsRead).toBeLessThanOrEqual(PAIRS.length)
  forget()
  expect((await fetch('/api/v2/date/2026-03-01')).status).toBe(200)
  expect(spent().roundTrips).toBe(0)
})

it('current reads, old addresses too, ask the board of KV every 30 seconds and no database', async () => {
  const { db: DB, spent } = measuredDatabase()
  let boards = 0
  const get = (name: string) => ((boards += 1), env.BOARD.get(name))
  const BOARD = { get } as unknown as KVNamespace
  const edge = openEdge({ now: NOON, env: { DB, BOARD, COMPATIBILITY: 'on' } })
  for (let second = 0; second < 300; second += 5) {
    edge.clock.now = NOON + second * SECOND_MS
    for (const path of [...CURRENT_PATHS, ...COMPATIBILITY_CURRENT_PATHS])
      expect((await edge.fetch(path)).status).toBe(200)
  }
  expect(boards).toBeLessThanOrEqual(10)
  expect(spent().roundTrips).toBe(0)
})
