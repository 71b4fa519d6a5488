import { describe, expect, it } from 'vitest'
import { argentineDay, dayEnd } from '../../../../shared/argentine-time.ts'
import { PAIRS } from '../../../../shared/market/catalog.ts'
import { removePoint, replacePoint } from '../../../../shared/db/quotes/corrections.ts'
import { numberToPrice } from '../../../../shared/market/price.ts'
import { type ImportOptions, importSeries } from '../../../../tools/operate/import/import-series.ts'
import { dayRanges } from '../../../../tools/operate/import/ranges.ts'
import { env } from '../../../support/env.ts'
import { art } from '../../../support/instant.ts'
import { seedPoints } from '../../../support/points.ts'
import { insertRows } from '../../../../tools/prove/harness/rows.ts'
import { countRows, readRows } from '../../../support/rows.ts'

const blue = PAIRS[2]!
const price = numberToPrice

/** Imports closes `[day, sell]` or observations `[day and time, sell]`. */
async function importRows(
  rows: [when: string, sell: number][],
  options: Partial<ImportOptions> = {},
) {
  const kind = rows[0]![0].length === 10 ? 'daily' : 'timed'
  const points = rows.map(([when, sell]) => ({
    at: kind === 'daily' ? dayEnd(when) : art(when),
    buy: price(1),
    sell: price(sell),
  }))
  const { summary, findings } = await importSeries(
    env.DB,
    {
      kind,
      source: kind === 'daily' ? 'import:argentinadatos-dolares' : 'import:dolarapi-hourly',
    },
    {
      pair: blue,
      rows: points,
      coverage:
        kind === 'daily'
          ? dayRanges(points.map(({ at }) => argentineDay(at)))
          : [[points[0]!.at, points.at(-1)!.at]],
      read: points.length,
      skipped: new Map(),
    },
    {
      dryRun: false,
      chunkSize: 100,
      ...options,
    },
  )
  return { ...summary, findings }
}

async function stored() {
  return (await readRows('points')).map(({ at, sell, source }) => [at, sell / 10_000, source])
}

describe('an import', () => {
  it('never touches what was recorded live, nor adds anything after it began', async () => {
    await seedPoints(
      'usd/blue',
      ['2026-03-05 10:00', 1, 100, 'ambito'],
      ['2026-03-06 10:00', 1, 101, 'ambito'],
    )
    const summary = await importRows([
      ['2026-03-04', 99],
      ['2026-03-05', 77],
      ['2026-03-07', 78],
    ])
    expect(summary).toMatchObject({
      made: 1,
      skipped: new Map([['recorded live by then', 2]]),
    })
    expect(await stored()).toEqual([
      [dayEnd('2026-03-04'), 99, 'import:argentinadatos-dolares'],
      [art('2026-03-05 10:00'), 100, 'ambito'],
      [art('2026-03-06 10:00'), 101, 'ambito'],
    ])
  })

  it('does not undo a correction, and counts the conflict', async () => {
    const rows: [string, number][] = [
      ['2026-03-01', 100],
      ['2026-03-02', 1050],
      ['2026-03-03', 106],
    ]
    await importRows(rows)
    const correction = { pair: blue, at: dayEnd('2026-03-02'), reason: 'typo', now: 0 }
    await replacePoint(env.DB, { ...correction, buy: price(1), sell: price(105) })

    expect(await importRows(rows)).toMatchObject({
      made: 0,
      removed: 0,
      unchanged: 2,
      conflicts: 1,
    })
    expect((await stored())[1]).toEqual([dayEnd('2026-03-02'), 105, 'correction'])

    await removePoint(env.DB, correction)
    expect(await importRows(rows)).toMatchObject({ made: 0, unchanged: 2, conflicts: 1 })
    expect(await stored()).toHaveLength(2)
  })

  it('gives today’s change the close that it is measured from', async () => {
    await seedPoints('usd/blue', ['2026-03-05 10:00', 1, 100, 'ambito'])
    await env.DB.prepare(insertRows('current_quotes', { pair: '?', sell: '?', updated_at: '?' }))
      .bind(blue.id, price(100), art('2026-03-05 10:00'))
      .run()
    await importRows([
      ['2026-03-03', 98],
      ['2026-03-04', 99],
    ])

    expect(
      await env.DB.prepare('select sell, updated_at, reference_sell from current_quotes').first(),
    ).toEqual({
      sell: price(100),
      updated_at: art('2026-03-05 10:00'),
      reference_sell: price(99),
    })
  })

  it('leaves a pair that is not quoted now without a current quote', async () => {
    await importRows([['2026-03-03', 98]])
    expect(await countRows('currentQuotes')).toBe(0)
  })

  it('writes nothing when run dry, and says what it would make', async () => {
    const rows: [string, number][] = [
      ['2026-03-03', 98],
      ['2026-03-04', 99],
    ]
    expect(await importRows(rows, { dryRun: true })).toMatchObject({ made: 2 })
    expect(await stored()).toEqual([])
    expect(await countRows('importCoverage')).toBe(0)
  })

  it('lists what is suspicious, and takes it in as it is', async () => {
    const imported = await importRows([
      ['2026-03-03 10:00', 1100],
      ['2026-03-03 11:00', 110],
      ['2026-03-03 12:00', 1105],
    ])
    expect(imported).toMatchObject({ made: 3, findings: [{ faults: ['power of ten'] }] })
  })
})
