import { expect, it } from 'vitest'
import type { LoadResult } from '../../../tools/prove/load/load.ts'
import { isGood } from '../../../tools/prove/load/report.ts'

const memory = { samples: [], typical: 1, peak: 1, slope: 0, growth: 0, grows: false }
const fine: LoadResult = {
  requests: 10,
  perSecond: 1,
  latency: { p50: 1, p97_5: 2, p99: 3, max: 4 },
  memory,
  counts: {},
  problems: [],
  warmUpSeconds: 20,
}

it.each<[string, LoadResult | null, boolean]>([
  ['nothing was wrong', fine, true],
  ['an answer was wrong', { ...fine, problems: ['1 × / answered 500'] }, false],
  ['memory grew', { ...fine, memory: { ...memory, grows: true } }, false],
  ['it could not be run', null, false],
])('is good only when all went well: %s', (_, result, good) => {
  expect(isGood({ name: 'x', summary: '', seconds: 1, result, failure: null })).toBe(good)
})
