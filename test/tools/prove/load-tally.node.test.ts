import { expect, it } from 'vitest'
import type { LoadResult } from '../../../tools/prove/load/load.ts'
import { isGood } from '../../../tools/prove/load/report.ts'
import { Tally } from '../../../tools/prove/load/fire.ts'

it('counts every status, and as wrong only those that were not expected', () => {
  const tally = new Tally()
  expect(tally.note('a read', 200, [200])).toBe(true)
  expect(tally.note('a read', 500, [200, 404], 'Error interno')).toBe(false)
  expect(tally.note('a read', 500, [200, 404], 'Error interno')).toBe(false)

  expect(tally.counts.toJSON()).toEqual({ 200: 1, 500: 2 })
  expect(tally.unexpected).toBe(2)
  expect(tally.problems()).toEqual(['2 × a read answered 500 Error interno'])
})

it('tells few kinds of problems in full, and how many more there were', () => {
  const tally = new Tally()
  for (let kind = 0; kind < 8; kind++) tally.wrong(`problem ${kind}`)

  expect(tally.unexpected).toBe(8)
  expect(tally.problems()).toHaveLength(6)
  expect(tally.problems().at(-1)).toBe('and 3 kinds more')
})

const memory = { samples: [], typical: 1, peak: 1, slope: 0, growth: 0, grows: false }
const fine: LoadResult = {
  requests: 10,
  perSecond: 1,
  errors: 0,
  latency: { p50: 1, p97_5: 2, p99: 3, max: 4 },
  memory,
  counts: {},
  problems: [],
  remarks: [],
}

it.each<[string, LoadResult | null, boolean]>([
  ['nothing was wrong', fine, true],
  ['an answer was wrong', { ...fine, errors: 1 }, false],
  ['something must not be', { ...fine, problems: ['twice'] }, false],
  ['memory grew', { ...fine, memory: { ...memory, grows: true } }, false],
  ['it could not be run', null, false],
])('is good only when all went well: %s', (_, result, good) => {
  expect(isGood({ name: 'x', summary: '', seconds: 1, result, failure: null })).toBe(good)
})
