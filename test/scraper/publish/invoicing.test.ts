import { expect, it } from 'vitest'
import type { CycleSummary } from '../../../shared/db/quotes/quotes.ts'
import { readInvoicing } from '../../../shared/db/quotes/invoicing.ts'
import type { SourceResult } from '../../../workers/scraper/collect/collect.ts'
import { invoicingOf } from '../../../workers/scraper/publish/record.ts'
import { sourceNamed } from '../../../workers/scraper/sources/index.ts'
import { document } from '../../support/documents.ts'
import { env } from '../../support/env.ts'
import { art } from '../../support/instant.ts'

const AT = art('2026-03-04 15:55')
const PAGE = document('bna-personas.html')

const resultOf = (page: string, at = AT): SourceResult => ({
  source: 'bna-personas',
  ok: true,
  readings: sourceNamed('bna-personas').parse(page, at),
})

/** What a cycle after `last` writes of the wholesale table, and what the next cycle knows. */
async function cycle(last: CycleSummary['wholesale'], results: SourceResult[], at = AT) {
  const summary = { wholesale: last } as CycleSummary
  const { wholesale, statements } = invoicingOf(env.DB, summary, results, at)
  const written = statements.length === 0 ? [] : await env.DB.batch(statements)
  return { wholesale, rows: written.reduce((sum, { meta }) => sum + meta.rows_written, 0) }
}

const dollarOf = async (date: string) => (await readInvoicing(env.DB, ['USD'], date, AT)).rates[0]

it('is written once, and again when its time or a rate changes', async () => {
  const first = await cycle(undefined, [resultOf(PAGE)])
  expect(first.rows).toBeGreaterThan(11)
  expect(await dollarOf('2026-03-05')).toMatchObject({ day: '2026-03-04', sell: '1460.5' })

  expect(await cycle(first.wholesale, [resultOf(PAGE)])).toEqual({ ...first, rows: 0 })

  const hour = await cycle(first.wholesale, [resultOf(PAGE.replace('15:04', '15:30'))])
  expect(hour.rows).toBe(12)
  expect(await dollarOf('2026-03-05')).toMatchObject({ publishedAt: art('2026-03-04 15:30') })

  const page = PAGE.replace('15:04', '15:40').replace('1460.5000', '1461.0000')
  await cycle(hour.wholesale, [resultOf(page)])
  expect(await dollarOf('2026-03-05')).toMatchObject({ sell: '1461' })
})

it('is remembered while its source is not requested or fails', async () => {
  const { wholesale } = await cycle(undefined, [resultOf(PAGE)])
  const failed: SourceResult = { source: 'bna-personas', ok: false, failure: 'timeout' }
  expect(await cycle(wholesale, [])).toEqual({ wholesale, rows: 0 })
  expect(await cycle(wholesale, [failed])).toEqual({ wholesale, rows: 0 })
})
