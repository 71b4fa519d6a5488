import { PAIRS, pairKey } from '../../shared/market/catalog.ts'
import { evaluate, type PairReport } from './evaluate.ts'
import type { Series } from './series.ts'
import { simulate, type ReplaySource, type Simulation } from './simulate.ts'

export interface Replayed {
  pair: string
  simulation: Simulation
  report: PairReport
}

/**
 * Replays every pair that the files hold: the first file is the first source of each of its pairs,
 * the second is independent of it, and the first where the first file has nothing.
 */
export function* replay(files: readonly Series[]): Generator<Replayed> {
  const provenances = ['a', 'b']
  for (const pair of PAIRS) {
    const key = pairKey(pair)
    const sources: ReplaySource[] = files.flatMap(({ name, observations }, index) => {
      const found = observations.get(key)
      const isTaken = index > 0 && files[0]!.name === name
      const provenance = provenances[index] ?? 'b'
      return found ? [{ name: isTaken ? `${name}-b` : name, provenance, observations: found }] : []
    })
    if (sources.length === 0) continue

    const simulation = simulate(pair, sources)
    yield { pair: key, simulation, report: evaluate(pair, sources, simulation) }
  }
}
