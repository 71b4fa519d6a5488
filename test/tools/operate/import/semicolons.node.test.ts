import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findPairByKey } from '../../../../shared/market/catalog.ts'
import { recognise } from '../../../../tools/operate/import/formats.ts'
import { readFile } from '../../../../tools/operate/import/read-file.ts'
import { type FileRecord, records } from '../../../../tools/operate/import/records.ts'
import { art } from '../../../support/instant.ts'

it('reads a CSV as Excel in Spanish saves it, and no number that may be either of two', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'cotizaciones-csv-')), 'propio.csv')
  const rows = [
    'currency;origin;at;buy;sell',
    'usd;blue;2025-01-02T10:00-03:00;1.410,5;1430,25',
    'usd;blue;2025-01-03T10:00-03:00;1415;1435',
    'usd;blue;2025-01-04T10:00-03:00;1.415;1435',
  ]
  writeFileSync(file, `\uFEFF${rows.join('\r\n')}\r\n`)
  const first = (await records(file).next()).value as FileRecord
  const format = recognise(file, first)
  if (typeof format === 'string') throw new Error(format)

  const { series } = await readFile(records(file), format, art('2026-03-02 12:00'))
  expect(series).toMatchObject([
    {
      pair: findPairByKey('usd/blue'),
      rows: [
        { at: art('2025-01-02 10:00'), buy: 14_105_000, sell: 14_302_500 },
        { at: art('2025-01-03 10:00'), buy: 14_150_000, sell: 14_350_000 },
      ],
      skipped: new Map([['nonsense price', 1]]),
    },
  ])
})
