import { expect, it } from 'vitest'
import { type Figure, isGood, printReport, type Report } from '../../../tools/prove/bench/report.ts'

const report = (figures: Figure[], failure: string | null = null): Report => ({
  machine: 'here',
  results: [{ name: 'bundles', method: 'how', figures, failure }],
})
const figure = (name: string, value: number, atMost?: number): Figure => ({
  name,
  value,
  unit: 'KiB',
  ...(atMost !== undefined && { atMost }),
})
const cells = (text: string) => text.replaceAll(/ +/g, ' ')

it.each<[string, Omit<Figure, 'name'>, boolean]>([
  ['at its ceiling', { value: 4, atMost: 4 }, true],
  ['over its ceiling', { value: 5, atMost: 4 }, false],
  ['under its floor', { value: 0.84, atLeast: 0.85 }, false],
  ['without a budget', { value: 1e9 }, true],
  ['that is no number', { value: Number.NaN, atMost: 4 }, false],
])('a run is judged by a figure %s', (_, figure, good) => {
  expect(isGood(report([{ name: 'rows', ...figure }]))).toBe(good)
})

it('prints each figure with its target, the method, and what could not be measured', () => {
  const printed = cells(printReport(report([figure('edge', 90, 80), figure('site', 5)])))
  expect(printed).toContain('| bundles | edge | ≤ 80, **broken** | 90 KiB |')
  expect(printed).toContain('| bundles | site | | 5 KiB |')
  expect(printed).toMatch(/^- bundles: how\n\nhere$/m)

  const failed = report([], 'no wrk')
  expect(isGood(failed)).toBe(false)
  expect(cells(printReport(failed))).toContain('| bundles | not measured: no wrk | **broken** | |')
})
