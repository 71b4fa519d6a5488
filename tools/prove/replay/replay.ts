import { PAIRS, pairKey } from '../../../shared/market/catalog.ts'
import { evaluate, type PairReport } from './evaluate.ts'
import { readBy } from './read-by.ts'
import { type ReplayFile, sourcesOfFiles } from './roles.ts'
import { type PairSources, simulateMarket, type SimulateOptions, spanOf } from './simulate.ts'
import type { Simulation } from './simulation.ts'
import { timetables } from './timetable.ts'

export interface Replayed {
  pair: string
  simulation: Simulation
  report: PairReport
}

/** Replays every pair that the files hold, each file in its role. */
export function replay(
  files: readonly ReplayFile[],
  {
    inNeed = false,
    pairs,
  }: Pick<SimulateOptions, 'inNeed'> & { pairs?: readonly string[] | undefined } = {},
): Replayed[] {
  const market = marketOf(files).filter(({ pair }) => pairs?.includes(pairKey(pair)) ?? true)
  if (market.length === 0) return []

  const { start, end } = spanOf(market.flatMap(({ sources }) => sources))
  const timetable = timetables(start, end)
  const simulations = simulateMarket(market, { timetable, inNeed })
  return market.map(({ pair, sources }, index) => {
    const simulation = simulations[index]!
    const read = sources.map((source) => readBy(pair, source, timetable))
    return { pair: pairKey(pair), simulation, report: evaluate(pair, read, simulation) }
  })
}

/** Every pair that some file holds, with its sources. */
export function marketOf(files: readonly ReplayFile[]): PairSources[] {
  return PAIRS.map((pair) => ({ pair, sources: sourcesOfFiles(pair, files) })).filter(
    ({ sources }) => sources.length > 0,
  )
}
