import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { DAY_MS } from '../../../../shared/argentine-time.ts'
import { findPairByKey, type PairKey } from '../../../../shared/market/catalog.ts'
import { type Observation, readSeries } from '../../../../tools/prove/replay/series.ts'
import { type ReplaySource, simulate } from '../../../../tools/prove/replay/simulate.ts'
import { DISTORTIONS, inject, slice } from '../../../support/inject.ts'

/** Five days of February 2024, by two sources. `npm run test:recordings` has fourteen months. */
const a = readSeries('test/fixtures/series/dolares-hourly-2024-02.csv')
const b = readSeries('test/fixtures/series/ambito-dolares-changes-2024-02.csv')
const FROM = Date.parse('2024-02-10T00:00:00Z')

const source = (name: string, observations: readonly Observation[]): ReplaySource => ({
  name,
  provenance: name,
  observations,
})
const around = (series: readonly Observation[], at: number) =>
  slice(series, at - DAY_MS, at + 2 * DAY_MS)

it.each(Object.entries(DISTORTIONS))(
  '%s passes from no single source with a second one',
  (_, distort) => {
    const keys = fc.constantFrom<PairKey>('USD/BLUE', 'USD/BOLSA', 'USD/MAYORISTA')
    const moment = fc.integer({ min: FROM, max: FROM + DAY_MS })
    fc.assert(
      fc.property(keys, moment, fc.integer({ min: 1, max: 24 }), (key, at, hours) => {
        const honest = around(a.observations.get(key)!, at)
        const sources = [
          source('a', inject(honest, at, hours, distort)),
          source('b', around(b.observations.get(key)!, at)),
        ]
        const { publications } = simulate(findPairByKey(key)!, sources)
        const wrong = publications.filter(
          (one) => one.at > at && Math.abs(Math.log(one.sell / honest[0]!.sell)) > 0.2,
        )
        expect(wrong).toEqual([])
      }),
      { numRuns: 5, seed: 2026 },
    )
  },
)
