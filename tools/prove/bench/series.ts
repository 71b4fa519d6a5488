/** Ten years of all pairs in one call: the dearest read that a key can ask for. */
import { addDays, argentineDay } from '../../../shared/argentine-time.ts'
import { PAIRS, pairKey } from '../../../shared/market/catalog.ts'
import { openScratchStorage } from '../../operate/admin/open-local.ts'
import { type Bench, type BenchOptions, type Figure, figure, rounded } from './bench.ts'
import { openCountedEdge } from './counted-edge.ts'
import { costFigures } from './measured.ts'
import { fillOrdinary, seedDays } from './ordinary-database.ts'

const NOW = Date.UTC(2026, 2, 5, 15)
const TO = addDays(argentineDay(NOW), -1)
const FROM = '2016-03-06'
const DAYS = 3651
const ROUNDS = 9
/** Of the key's gate, which has a bench of its own. */
const GATE = { roundTrips: 1, rowsRead: 6, rowsWritten: 4 }
/** The last row before the range, and the looks for it and for a later point of today. */
const BESIDES = 8
const LIMIT_MS = 100
const LIMIT_KB = 1000

export const series: Bench = {
  name: 'series',
  summary: 'ten years of all pairs in one call: round trips, rows, bytes and time',
  method:
    `createEdge over D1 of miniflare with a close of every pair on each of ${DAYS} days; time is the ` +
    `least of ${ROUNDS} (other load on the machine only adds), from the request to the last byte, the way to the database process included`,
  run: benchSeries,
}

async function benchSeries({ progress }: BenchOptions): Promise<Figure[]> {
  await using storage = await openScratchStorage()
  progress(`making ${DAYS} closes of each pair`)
  const key = await fillOrdinary(storage.db, NOW)
  await storage.db.batch(
    ['points', 'daily_candles'].map((table) => storage.db.prepare(`delete from ${table}`)),
  )
  await seedDays(storage.db, FROM, DAYS)
  const edge = openCountedEdge(storage, key)
  const pairs = PAIRS.map(pairKey).join().toLowerCase()

  const figures: Figure[] = []
  for (const format of ['json', 'csv']) {
    const query = `pairs=${pairs}&from=${FROM}&to=${TO}${format === 'csv' ? '&format=csv' : ''}`
    const name = `series, ${PAIRS.length} pairs, ten years, ${format}`
    progress(name)
    edge.forget()
    const body = await edge.get(`/api/v2/series?${query}`, NOW)
    figures.push(
      ...costFigures(`${name}, gate included`, edge.spent(), {
        roundTrips: GATE.roundTrips + 1,
        rowsRead: GATE.rowsRead + PAIRS.length * (DAYS + BESIDES),
        rowsWritten: GATE.rowsWritten,
      }),
      { name: `${name}: bytes`, value: rounded(body.length / 1000), unit: 'KB', atMost: LIMIT_KB },
    )
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const begin = performance.now()
      await edge.get(`/api/v2/series?${query}`, NOW)
      times.push(performance.now() - begin)
    }
    figures.push(figure(`${name}: time`, rounded(Math.min(...times)), 'ms', { atMost: LIMIT_MS }))
  }
  return figures
}
