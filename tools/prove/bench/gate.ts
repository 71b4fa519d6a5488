/** What the gate and history cost in rows, by D1's own count, on a database of ordinary size. */
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { readCandles, readPoints } from '../../../workers/edge/db/history.ts'
import { admit, KEY_QUOTA } from '../../../shared/db/accounts/quotas.ts'
import { hashKey } from '../../../shared/access/api-key.ts'
import type { Bench, BenchOptions, Figure } from './bench.ts'
import { costFigures, costOf } from './measured.ts'
import { ACCOUNTS, blue, fillOrdinary, HOURS } from './ordinary-database.ts'
import { openScratchStorage } from '../../operate/admin/open-local.ts'

const NOW = Date.UTC(2026, 2, 5, 15)

export const gate: Bench = {
  name: 'gate',
  summary: 'rows and round trips of the key gate and of history',
  method:
    `the functions behind the gate and history, on D1 with ${ACCOUNTS} accounts and ${HOURS} points; rows are ` +
    "D1's own count of one call",
  run: benchGate,
}

async function benchGate({ progress }: BenchOptions): Promise<Figure[]> {
  await using storage = await openScratchStorage()
  progress(`making ${ACCOUNTS} accounts and ${HOURS} points`)
  const hash = await hashKey(await fillOrdinary(storage.db, NOW))

  return [...(await figuresOfGate(storage.db, hash)), ...(await figuresOfHistory(storage.db))]
}

async function figuresOfGate(binding: D1Database, hash: string): Promise<Figure[]> {
  const ask = { hash, management: true, dailyBudget: 20_000, now: NOW }
  await admit(binding, { ...ask, now: NOW - MINUTE_MS })
  const passed = await costOf(binding, (db) => admit(db, ask))
  for (let count = 1; count < KEY_QUOTA; count++) await admit(binding, ask)
  const refused = await costOf(binding, (db) => admit(db, ask))

  return [
    ...costFigures('gate, passed', passed, { roundTrips: 1, rowsRead: 6, rowsWritten: 4 }),
    ...costFigures('gate, refused', refused, { roundTrips: 1, rowsRead: 6, rowsWritten: 0 }),
  ]
}

async function figuresOfHistory(binding: D1Database): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [what, read] of [['points', readPoints] as const, ['candles', readCandles] as const])
    for (const limit of [100, 500]) {
      const range = { from: null, to: null, limit }
      const { rowsRead } = await costOf(binding, (db) => read(db, blue, range, NOW))
      const name = `history, ${limit} ${what}: rows read`
      figures.push({ name, value: rowsRead, atMost: limit + 10 })
    }
  return figures
}
