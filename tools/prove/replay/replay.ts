import { PAIRS, pairKey } from '../../../shared/market/catalog.ts'
import { evaluate, type PairReport } from './evaluate.ts'
import { readBy } from './read-by.ts'
import { sourcesOfFiles } from './roles.ts'
import type { Series } from './series.ts'
import { type PairSources, simulateMarket, spanOf } from './simulate.ts'
import type { Simulation } from './simulation.ts'
import { timetables } from './timetable.ts'

export interface Replayed {
  pair: string
  simulation: Simulation
  report: PairReport
}

/** Replays every pair that the files hold, the first file as its first source. */
export function replay(files: readonly Series[]): Replayed[] {
  const market = marketOf(files)
  if (market.length === 0) return []

  const { start, end } = spanOf(market.flatMap(({ sources }) => sources))
  const timetable = timetables(start, end)
  const simulations = simulateMarket(market, { timetable })
  return market.map(({ pair, sources }, index) => {
    const simulation = simulations[index]!
    const read = sources.map((source) => readBy(pair, source, timetable))
    return { pair: pairKey(pair), simulation, report: evaluate(pair, read, simulation) }
  })
}

/** Every pair that some file holds, with its sources. */
export function marketOf(files: readonly Series[]): PairSources[] {
  return PAIRS.map((pair) => ({ pair, sources: sourcesOfFiles(pair, files) })).filter(
    ({ sources }) => sources.length > 0,
  )
}
