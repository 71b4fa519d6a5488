import { expect, it } from 'vitest'
import { judgeMemory } from '../../../tools/prove/harness/memory.ts'

const EVERY_MS = 2000

/** A minute of samples. */
const samples = (mib: (index: number) => number) => Array.from({ length: 31 }, (_, i) => mib(i))
const noise = (index: number) => 8 * Math.sin(index * 2.4)

it.each<[string, (index: number) => number, boolean]>([
  ['that stands still', () => 300, false],
  ['that saws as a collector does', (i) => 300 + noise(i), false],
  ['that still warms up at first', (i) => 600 - 200 * 0.75 ** i, false],
  ['that leaks a little all the time', (i) => 300 + 2 * i + noise(i), true],
  ['that leaks from the middle on', (i) => 300 + Math.max(0, i - 15) * 4, true],
  ['that shrinks', (i) => 400 - i, false],
])('judges memory %s', (_, mib, grows) => {
  expect(judgeMemory(samples(mib), EVERY_MS).grows).toBe(grows)
})

it('tells the slope in MiB a minute, the typical and the most', () => {
  const memory = judgeMemory(
    samples((i) => 300 + i),
    EVERY_MS,
  )
  expect(memory).toMatchObject({ slope: 30, growth: 15, typical: 315, peak: 330 })
})
