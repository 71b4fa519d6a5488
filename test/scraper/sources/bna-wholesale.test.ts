import { describe, expect, it } from 'vitest'
import { sourceNamed } from '../../../workers/scraper/sources/index.ts'
import type { Reading } from '../../../workers/scraper/sources/source.ts'
import { document } from '../../support/documents.ts'
import { art } from '../../support/instant.ts'
import { readingLine } from '../../../tools/operate/check-sources.ts'

const NOW = art('2026-03-04 15:55')
const PAGE = document('bna-divisas.html')

const isTable = (reading: Reading) => reading.kind === 'wholesale'
const read = (page: string, now = NOW) => sourceNamed('bna-personas').parse(page, now)
const tableOf = (page: string, now = NOW) =>
  read(page, now).filter(isTable).map(readingLine).join().split(', ')
const missing = (page: string) =>
  read(page).flatMap((reading) => (reading.kind === 'missing' ? [reading.row] : []))

const ROWS = [
  `wholesale 2026-03-04 ${art('2026-03-04 15:04')}`,
  '1 USD 1451.5 1460.5',
  '1 GBP 1962.1377 1978.2473',
  '1 EUR 1688.2396 1702.0667',
  '100 CHF 180102.01 181403.77',
  '100 JPY 931.2043 938.5517',
  '100 CAD 105003.255 105701.118',
  '100 DKK 22585.112 22790.441',
  '100 NOK 15651.33 15790.25',
  '100 SEK 15220.09 15401.77',
  '100 CNY 21278.57583 22372.5046',
  '1 AUD 1045.2309 1053.4188',
]

describe('the wholesale table', () => {
  it('keeps a row of an unknown title by that title, and says so', () => {
    const page = PAGE.replace('YENES *', 'Coronas Checas (*)')
    expect(tableOf(page)).toEqual(
      ROWS.map((row) => (row.includes('JPY') ? '100 Coronas Checas 931.2043 938.5517' : row)),
    )
    expect(missing(page)).toContain('#divisas unknown title')
  })

  it('has every row by its ISO code, with its units and all its decimals', () => {
    expect(tableOf(PAGE)).toEqual(ROWS)
  })

  it('says no hour that has not come, and none when the page has none', () => {
    expect(tableOf(PAGE, art('2026-03-04 15:03'))[0]).toBe('wholesale 2026-03-04 null')
    expect(tableOf(PAGE.replace('Hora Actualización: 15:04', ''))[0]).toBe(
      'wholesale 2026-03-04 null',
    )
  })

  it.each([
    ['an endless title', 'Libra Esterlina', 'Rand '.repeat(9), 2, '#divisas unsound'],
    ['a word for a price', '1962.1377', 'S/C', 2, '#divisas unsound'],
    ['a comma for a point', '1962.1377', '1962,1377', 2, '#divisas unsound'],
    ['a price of zero', '1962.1377', '0.0000', 2, '#divisas unsound'],
    ['sides that are swapped', '1962.1377', '1999.0000', 2, '#divisas unsound'],
    ['sides that are far apart', '1962.1377', '1500.0000', 2, '#divisas unsound'],
    ['a currency twice', 'Libra Esterlina', 'Coronas Suecas', 10, '#divisas SEK'],
  ])('leaves out a row with %s, says so, and keeps the rest', (_, from, to, row, said) => {
    const page = PAGE.replace(from, to)
    const left = tableOf(page)
    expect(left).toHaveLength(ROWS.length - 1)
    if (row !== 10) expect(left).toEqual(ROWS.filter((_, index) => index !== row))
    expect(missing(page)).toContain(said)
    expect(
      read(page).some((reading) => reading.kind === 'quote' && reading.pair === 'USD/BNA'),
    ).toBe(true)
  })

  it('without a date is no table', () => {
    const page = PAGE.replace(/<div id="divisas"[^]*?4\/3\/2026/, (text) =>
      text.replace('4/3/2026', ''),
    )
    expect(tableOf(page)).toEqual([''])
    expect(missing(page)).toContain('#divisas date')
  })
})
