/**
 * The scraper's cycle over the demo market's documents: what a cycle without a change costs in D1
 * and KV, and how much longer than its slowest source it takes.
 */
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { PAIRS } from '../../../shared/market/catalog.ts'
import type { CycleReport } from '../../../workers/scraper/cycle.ts'
import { openScratchStorage } from '../../operate/admin/open-local.ts'
import { type Bench, type BenchOptions, type Figure, median } from './bench.ts'
import { runDemoCycle, SLOW_MS } from './demo-cycle.ts'
import { measured } from './measured.ts'

/** The instant whose prices the documents have, so that a later cycle finds no change. */
const MARKET = Date.UTC(2026, 2, 2, 15)
const ROUNDS = 9

export const cycle: Bench = {
  name: 'cycle',
  summary: 'a cycle without a change: rows, round trips, time beyond its slowest source',
  method:
    'runCycle over D1 and KV of miniflare, every source asked, their documents the demo market’s at ' +
    `one instant, one of them after ${SLOW_MS} ms; the time is the median of ${ROUNDS} cycles less those ` +
    `${SLOW_MS} ms`,
  run: benchCycle,
}

async function benchCycle({ progress }: BenchOptions): Promise<Figure[]> {
  await using storage = await openScratchStorage()
  const { db, spent, forget } = measured(storage.db)
  const run = async (round: number) => {
    const at = MARKET + round * MINUTE_MS
    const { report, puts } = await runDemoCycle({ ...storage, db }, { at, market: MARKET })
    if (round > 0 && !isQuiet(report)) throw new Error(`not quiet: ${JSON.stringify(report)}`)
    return puts
  }
  await run(0)
  await run(1)

  forget()
  const puts = await run(2)
  const cost = spent()
  const beyond: number[] = []
  for (let round = 3; round < 3 + ROUNDS; round++) {
    const start = performance.now()
    await run(round)
    beyond.push(performance.now() - start - SLOW_MS)
    progress(`cycle ${round - 2} of ${ROUNDS}`)
  }
  const rowsReadAPair = Math.round((cost.rowsRead / PAIRS.length) * 10) / 10
  const milliseconds = Math.round(median(beyond))
  return [
    { name: 'quiet cycle: round trips', value: cost.roundTrips, atMost: 3 },
    { name: 'quiet cycle: rows read a pair', value: rowsReadAPair, atMost: 8 },
    { name: 'quiet cycle: rows written', value: cost.rowsWritten, atMost: 12 },
    { name: 'quiet cycle: KV writes', value: puts, atMost: 1 },
    { name: 'cycle beyond its slowest source', value: milliseconds, unit: 'ms', atMost: 300 },
  ]
}

function isQuiet(report: CycleReport): boolean {
  return report.outcome === 'recorded' && report.changed.length === 0 && report.held.length === 0
}
