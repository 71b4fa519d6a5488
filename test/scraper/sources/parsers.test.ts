import { expect, it } from 'vitest'
import type { Instant } from '../../../shared/argentine-time.ts'
import { sourceNamed } from '../../../workers/scraper/sources/index.ts'
import { document, expectedLines, linesOf } from '../../support/documents.ts'
import { art } from '../../support/instant.ts'

const now = art('2026-03-04 15:55')

/** Documents whose readings `pairs/derive.test.ts` does not show: source, file, readings. */
const EXPECTED = `
# argentinadatos-feriados
2026: 2026-01-01 inamovible, 2026-02-16 inamovible, 2026-02-17 inamovible, 2026-03-23 puente, 2026-03-24 inamovible, 2026-04-02 inamovible, 2026-04-03 inamovible, 2026-05-01 inamovible, 2026-05-25 inamovible, 2026-06-15 trasladable, 2026-06-20 inamovible, 2026-07-09 inamovible, 2026-07-10 puente, 2026-08-17 trasladable, 2026-09-24 provincial, 2026-10-12 trasladable, 2026-11-09 inamovible, 2026-11-23 trasladable, 2026-12-08 inamovible, 2026-12-25 inamovible
# ambito-futuro-contratos ambito-futuro-mes.json
2026-03 1478 1478
2026-04 1502 1502
# ambito-futuro-contratos ambito-futuro-tabla.json
2026-03 1477.5 1478.5
# bna-personas
USD/BNA 1430 1480
EUR/BNA 1620.5 1715.25
BRL/BNA 267.5 281.5
USD/MAYORISTA 1451.5 1460.5
EUR/OFICIAL 1688.2396 1702.0667
wholesale 2026-03-04 1772647440000, 1 USD 1451.5 1460.5, 1 GBP 1962.1377 1978.2473, 1 EUR 1688.2396 1702.0667, 100 CHF 180102.01 181403.77, 100 JPY 931.2043 938.5517, 100 CAD 105003.255 105701.118, 100 DKK 22585.112 22790.441, 100 NOK 15651.33 15790.25, 100 SEK 15220.09 15401.77, 100 CNY 21278.57583 22372.5046, 1 AUD 1045.2309 1053.4188
# bcra-cotizaciones bcra-weekend.json
# bcra-cer bcra-cer-vacio.json
# criptoya-usdt
alfa 1500 1512 total 1498 1514 at 1772650500000
beta 1502 1515.5 total 1502 1515.5 at 1772650490000
gama 1499.5 1520 total 1497 1522.25 at 1772650480000
sinventa 1490 0 total 1490 0 at 1772650500000
lejos 1380 1700 total 1380 1700 at 1772650500000
viejo 1501 1514 total 1501 1514 at 1772640000000
`

const wholesaleOf = (body: string, at: Instant) =>
  sourceNamed('bna-personas')
    .parse(body, at)
    .find(({ kind }) => kind === 'wholesale')

it.each(expectedLines(EXPECTED))('$source reads $file', ({ source, file, lines }) => {
  expect(linesOf(source, document(file), now)).toEqual(lines)
})

it('a source keeps the printed timestamp for audits', () => {
  const [reading] = sourceNamed('ambito-blue').parse(document('ambito-quote.json'), now)
  expect(reading).toMatchObject({ stamp: '04/03/2026 - 15:41' })

  const [dollar] = sourceNamed('bna-personas').parse(document('bna-personas'), now)
  expect(dollar).toMatchObject({ stamp: '4/3/2026 15:02' })
})

it('a source gives the wholesale table no time that is in the future or not printed, and no table without a date', () => {
  const page = document('bna-personas')
  expect(wholesaleOf(page, art('2026-03-04 15:03'))).toMatchObject({ publishedAt: null })
  const timeless = page.replace('Hora Actualización: 15:04', '')
  expect(wholesaleOf(timeless, now)).toMatchObject({ day: '2026-03-04', publishedAt: null })
  const undated = page.replace(/<div id="divisas"[^]*?4\/3\/2026/, (text) =>
    text.replace('4/3/2026', ''),
  )
  expect(wholesaleOf(undated, now)).toBeUndefined()
})
