import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, dayEnd, dayStart } from '../../../../shared/argentine-time.ts'
import { findPairByKey } from '../../../../shared/market/catalog.ts'
import type { ArchiveRow } from '../../../../tools/operate/backfill/archives.ts'
import { holesOf, silenceBefore, stretchesOf } from '../../../../tools/operate/backfill/holes.ts'
import { type Leg, readSeries } from '../../../../tools/operate/backfill/read-series.ts'
import { type Served, SERVED } from '../../../../tools/operate/backfill/table.ts'
import { dayRanges } from '../../../../tools/operate/import/ranges.ts'

const now = dayEnd('2026-11-20') - 1

function read(
  key: string,
  rows: ArchiveRow[],
  { nth = 0, leg: dollar = () => null }: { nth?: number; leg?: Leg } = {},
) {
  const pair = findPairByKey(key)!
  const served = SERVED[key as keyof typeof SERVED]![nth] as Served
  const holes = [{ from: '2010-01-01', to: '2026-12-31' }]
  const series = readSeries(rows, { pair, served, holes, daily: [], leg: dollar, now })
  return {
    rows: series.rows.map(({ at, buy, sell }) => [at, buy / 10_000, sell / 10_000]),
    skipped: Object.fromEntries(series.skipped),
    coverage: series.coverage,
  }
}

const leg: Leg = () => ({ at: 0, buy: 15_000_000, sell: 15_200_000 })
const rate = (sell: unknown) => [{ day: '2026-03-02', buy: sell, sell }]

describe('the rows of an archive', () => {
  it('are prices of one unit, whatever the number of units they are told for', () => {
    const rows = [
      { day: '2016-05-02', buy: 21.4567, sell: 21.4567, unit: 1000 },
      { day: '2016-05-03', buy: 2.14, sell: 2.14, unit: 100 },
      { day: '2026-03-20', buy: 1.493186, sell: 1.493186, unit: 1 },
    ]
    expect(read('CLP/OFICIAL', rows).rows).toEqual([
      [dayEnd('2016-05-02'), 0.0215, 0.0215],
      [dayEnd('2016-05-03'), 0.0214, 0.0214],
      [dayEnd('2026-03-20'), 1.4932, 1.4932],
    ])
  })

  it('stand at the end of their day, CER and UVA at its start, and are never of the future', () => {
    const rows = ['2026-11-19', '2026-11-20', '2026-11-21'].map((day) => ({ day, buy: 9, sell: 9 }))
    expect(read('USD/BLUE', rows).rows.map(([at]) => at)).toEqual([dayEnd('2026-11-19')])
    expect(read('ARG/UVA', rows).rows.map(([at]) => at)).toEqual([
      dayStart('2026-11-19'),
      dayStart('2026-11-20'),
    ])
    expect(read('ARG/UVA', rows).skipped).toEqual({ 'in the future': 1 })
  })

  it('without a price are counted', () => {
    const row = { day: '2024-01-01', buy: null, sell: 5 }
    expect(read('USD/BLUE', [row])).toMatchObject({ rows: [], skipped: { 'no value': 1 } })
  })

  it('cross with the dollar of their day: one number over, both sides times', () => {
    expect(read('CLP/OFICIAL', rate(930.25), { nth: 1, leg }).rows[0]!.slice(1)).toEqual([
      1.634, 1.634,
    ])
    expect(read('EUR/BLUE', rate(1.156), { leg }).rows[0]!.slice(1)).toEqual([1734, 1757.12])
    expect(read('EUR/BLUE', rate(0), { leg }).skipped).toEqual({ zero: 1 })
    expect(read('EUR/BLUE', rate(1.156)).skipped).toEqual({
      'nobody has the dollar of that day': 1,
    })
  })
})

describe('the days that nobody has', () => {
  const day = fc.integer({ min: 0, max: 120 }).map((count) => addDays('2023-11-01', count))
  const days = fc.uniqueArray(day, { maxLength: 40 })

  it('and those that somebody has are all days, each once', () => {
    fc.assert(
      fc.property(days, (taken) => {
        const holes = holesOf(dayRanges(taken), '2023-11-01', '2024-02-29')
        for (let at = '2023-11-01'; at <= '2024-02-29'; at = addDays(at, 1)) {
          const found = holes.filter(({ from, to }) => at >= from && at <= to).length
          expect(found).toBe(taken.includes(at) ? 0 : 1)
        }
      }),
    )
  })

  it.each([
    ['a weekend before it', '2024-06-03', '2024-06-01', ['2024-06-01']],
    ['eleven days before it', '2024-06-12', '2024-06-01', []],
    ['days of another hole', '2024-06-03', '2024-05-01', []],
  ])('before the first value: %s', (_, first, from, silent) => {
    const holes = [{ from, to: `${from.slice(0, 7)}-30` }]
    expect(silenceBefore([first, '2024-06-20'], holes)).toEqual(silent)
  })

  it('are asked for in as few stretches as their years allow', () => {
    const holes = [
      { from: '2002-03-04', to: '2002-03-05' },
      { from: '2003-12-24', to: '2003-12-26' },
      { from: '2010-01-01', to: '2010-02-01' },
    ]
    expect(stretchesOf(holes)).toEqual([{ from: '2002-03-04', to: '2003-12-26' }, holes[2]])
  })
})
