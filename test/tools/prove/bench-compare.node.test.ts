import { expect, it } from 'vitest'
import type { Figure } from '../../../tools/prove/bench/bench.ts'
import { type BenchReport, compareReports } from '../../../tools/prove/bench/compare.ts'

const figure = (name: string, value: number, atMost?: number): Figure => ({
  name,
  value,
  unit: 'KiB',
  ...(atMost === undefined ? {} : { atMost }),
})
const report = (result: Figure[] | null, failure: string | null = null): BenchReport => ({
  tasks: [{ name: 'bundles', result, failure }],
})
const cells = (text: string) => text.replaceAll(/ +/g, ' ')

it('shows figures that moved, came or went, and none that stayed', () => {
  const before = report([figure('edge', 50, 80), figure('site', 300), figure('old', 1)])
  const after = report([figure('edge', 55, 80), figure('site', 300), figure('new', 2)])
  const shown = cells(compareReports(before, after))

  expect(shown).toContain('| bundles: edge | 50 KiB | 55 KiB | +10 % | ≤ 80 |')
  expect(shown).toContain('| bundles: new | | 2 KiB | new | |')
  expect(shown).toContain('| bundles: old | 1 KiB | | gone | |')
  expect(shown).not.toContain('site')
})

it('shows a broken budget even where nothing moved, and what was not measured', () => {
  const broken = report([figure('edge', 90, 80)])
  expect(cells(compareReports(broken, broken))).toContain('| ≤ 80, **broken** |')
  expect(compareReports(broken, report(null, 'no runtime'))).toContain('not measured: no runtime')
  const same = report([figure('edge', 50, 80)])
  expect(compareReports(same, same)).toContain('No figure changed.')
})
