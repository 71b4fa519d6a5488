import { expect, it } from 'vitest'
import {
  type Figure,
  type BenchResult,
  isGood,
  printResults,
} from '../../../tools/prove/bench/bench.ts'
import { describeMachine } from '../../../tools/prove/harness/tasks.ts'

function result(figures: Figure[] | null, failure: string | null = null): BenchResult {
  return { name: 'one', summary: '', method: 'how', seconds: 1, result: figures, failure }
}

it.each<[string, Omit<Figure, 'name' | 'unit'>, boolean]>([
  ['at its ceiling', { value: 4, atMost: 4 }, true],
  ['over its ceiling', { value: 5, atMost: 4 }, false],
  ['at its floor', { value: 0.85, atLeast: 0.85 }, true],
  ['under its floor', { value: 0.84, atLeast: 0.85 }, false],
  ['without a budget', { value: 1e9 }, true],
  ['that is no number', { value: Number.NaN, atMost: 4 }, false],
])('judges a figure %s', (_, figure, kept) => {
  const figures = [{ name: 'rows', unit: '', ...figure }]
  expect(isGood(result(figures))).toBe(kept)
})

it('is not good when a bench could not be run', () => {
  expect(isGood(result(null, 'spawn wrk ENOENT'))).toBe(false)
})

it('prints each figure with its target, and names the method', () => {
  const figures = [
    { name: 'rows', value: 5, unit: '', atMost: 4 },
    { name: 'rate', value: 200, unit: '/s' },
  ]
  const printed = printResults([result(figures), result(null, 'no wrk')])
  const lines = printed.split('\n').map((line) => line.replaceAll(/ +/g, ' '))

  expect(lines).toContain('| one | rows | ≤ 4 | 5 | 1.25 × | NO |')
  expect(lines).toContain('| one | rate | | 200 /s | | |')
  expect(lines).toContain('| one | not measured: no wrk | | | | NO |')
  expect(lines).toContain('- one (1 s): how')
})

it.each([
  ['quiet', 0.9, 'load average 0.9 before, 2.1 after'],
  [
    'busy',
    1.1,
    'load average 1.1 before, 2.1 after: the machine was busy, so times and rates say little',
  ],
])('names the machine that the figures come from, a %s one too', (_, load, said) => {
  const described = describeMachine(
    {
      date: '2026-11-21T00:00:00.000Z',
      processor: 'A processor',
      cores: 2,
      memoryGiB: 24,
      system: 'linux x64',
      node: 'v24',
      workerd: '1',
      load,
    },
    2.1,
  )
  expect(described.split('\n')).toEqual([
    '2026-11-21T00:00:00.000Z: A processor, 2 cores, 24 GiB, linux x64, Node v24, workerd 1',
    said,
  ])
})
