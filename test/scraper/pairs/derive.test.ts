import { Big } from 'big.js'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findPairByKey, pairKey, PAIRS } from '../../../shared/market/catalog.ts'
import { pairRhythm } from '../../../shared/market/market-hours.ts'
import { roundPrice } from '../../../shared/market/price.ts'
import type { SourceResult } from '../../../workers/scraper/collect/collect.ts'
import { sourcesOf } from '../../../workers/scraper/pairs/pair-sources.ts'
import { deriveCandidates, toPrice } from '../../../workers/scraper/pairs/candidates.ts'
import { frontMonth } from '../../../workers/scraper/pairs/derive/futures.ts'
import type { DeriveContext } from '../../../workers/scraper/pairs/derivation.ts'
import { contractMonth } from '../../../workers/scraper/sources/futures.ts'
import { SOURCES, sourceNamed } from '../../../workers/scraper/sources/index.ts'
import { document } from '../../support/documents.ts'
import { art } from '../../support/instant.ts'

const now = art('2026-03-04 15:55')
const context = { now, tarjetaRate: new Big('0.30'), current: new Map() }

/** The files of Ámbito's documents that are not `ambito-quote.json`. */
const AMBITO: Record<string, string> = {
  'ambito-futuro-contratos': 'ambito-futuro-contratos.json',
  'ambito-mep': 'ambito-single.json',
  'ambito-ccl': 'ambito-single.json',
  'ambito-futuro': 'ambito-single.json',
  'ambito-cripto': 'ambito-value-only.json',
  'ambito-riesgo-jornada': 'ambito-riesgo.json',
  'ambito-riesgo': 'ambito-riesgo.json',
}

function answer(source: string): SourceResult {
  const file = AMBITO[source] ?? (source.startsWith('ambito') ? 'ambito-quote.json' : source)
  return { source, ok: true, readings: sourceNamed(source).parse(document(file), now) }
}

function failed(source: string): SourceResult {
  return { source, ok: false, failure: 'timeout' }
}

function pair(key: string) {
  return findPairByKey(key)!
}

/** "source buy sell" of each candidate, and the failed sources. */
function said(key: string, results: SourceResult[], changed: Partial<DeriveContext> = {}) {
  const { candidates, failed } = deriveCandidates(pair(key), results, { ...context, ...changed })
  return [
    ...candidates.map(({ source, buy, sell }) => `${source} ${buy / 10_000} ${sell / 10_000}`),
    ...failed.map((name) => `${name} failed`),
  ]
}

/** A whole cycle with our own documents, in which every source answers. */
const everything = SOURCES.map(({ name }) => answer(name))

/** For each pair, in the order of its sources: the candidates from all documents. */
const EXPECTED = `
USD/OFICIAL ambito-oficial 1442.5 1492.75
USD/OFICIAL criptoya-bancos 1438 1490
USD/OFICIAL dolarapi-ambito 1442.5 1492.75
USD/OFICIAL bcra-minorista 1479.87 1479.87
USD/BNA bna-personas 1430 1480
USD/BNA ambito-bna 1442.5 1492.75
USD/BNA criptoya-bancos 1430 1480
USD/BNA dolarapi-ambito 1430 1480
USD/BNA dolarapi-dolares 1430 1480
USD/BLUE ambito-blue 1442.5 1492.75
USD/BLUE dolarhoy 1465 1485.5
USD/BLUE dolarapi-dolares 1465 1485
USD/BLUE criptoya-dolar 1465 1485
USD/MAYORISTA ambito-mayorista 1442.5 1492.75
USD/MAYORISTA bna-personas 1451.5 1460.5
USD/MAYORISTA dolarapi-dolares 1451.5 1460.5
USD/MAYORISTA bcra-ref 1451.2364 1451.2364
USD/MAYORISTA bcra-a3500 1451.2364 1451.2364
USD/BOLSA byma-bonds 1467.35 1469.9
USD/BOLSA data912-bonds 1467.35 1469.9
USD/BOLSA criptoya-dolar 1468.9 1468.9
USD/BOLSA ambito-mep 1468.31 1468.31
USD/BOLSA dolarapi-dolares 1466.2 1470.9
USD/CCL byma-bonds 1510.19 1510.19
USD/CCL criptoya-dolar 1510.37 1510.37
USD/CCL dolarapi-dolares 1509.1 1511.4
USD/CCL ambito-ccl 1468.31 1468.31
USD/CCL data912-bonds failed
USD/CRIPTO criptoya-usdt 1498 1515.5
USD/CRIPTO belo 1499.1 1517.4
USD/CRIPTO comparadolar 1498 1515.5
USD/CRIPTO ambito-cripto 1471.9 1471.9
USD/CRIPTO criptoya-dolar 1501.5 1515
USD/CRIPTO dolarapi-dolares 1512 1516.25
USD/TARJETA bna × tarjeta 1859 1924
USD/TARJETA ambito-bna × tarjeta 1875.25 1940.58
USD/TARJETA ambito-turista 1875.25 1492.75
USD/TARJETA dolarapi-dolares 1859 1924
USD/FUTURO ambito-futuro-contratos 1477.5 1478.5
USD/FUTURO ambito-futuro 1468.31 1468.31
USD/FUTURO a3-dlr 1475.5 1475.5
EUR/OFICIAL ambito-euro 1442.5 1492.75
EUR/OFICIAL dolarapi-cotizaciones 1688.2396 1702.0667
EUR/OFICIAL iol-monedas 1688.2396 1702.0667
EUR/OFICIAL bna-personas 1688.2396 1702.0667
EUR/OFICIAL bcra-eur 1685.481 1685.481
EUR/BNA bna-personas 1620.5 1715.25
EUR/BNA ambito-bna × EUR/USD 1676.185 1734.5755
EUR/BLUE ambito-euro-blue 1442.5 1492.75
EUR/BLUE ambito-blue × EUR/USD 1676.185 1734.5755
EUR/BLUE dolarhoy × EUR/USD 1702.33 1726.151
EUR/BLUE dolarapi-dolares × EUR/USD 1702.33 1725.57
EUR/BLUE criptoya-dolar × EUR/USD 1702.33 1725.57
BRL/OFICIAL ambito-real 1442.5 1492.75
BRL/OFICIAL dolarapi-cotizaciones 277.1 277.2501
BRL/OFICIAL iol-monedas 277.1 277.2501
BRL/OFICIAL bcra-brl 277.0455 277.0455
BRL/BNA bna-personas 267.5 281.5
CLP/OFICIAL dolarapi-cotizaciones 1.5983 1.5984
CLP/OFICIAL iol-monedas 1.5983 1.5984
CLP/OFICIAL bcra-clp 1.5985 1.5985
UYU/OFICIAL dolarapi-cotizaciones 37.4401 37.4402
UYU/OFICIAL iol-monedas 37.4401 37.4402
UYU/OFICIAL bcra-uyu 37.4374 37.4374
ARG/RIESGO ambito-riesgo-jornada 1043 1043
ARG/RIESGO ambito-riesgo 1043 1043
ARG/RIESGO rava-riesgo 1043 1043
ARG/RIESGO argentinadatos-riesgo 1031 1031
ARG/CER bcra-cer 696.38 696.38
ARG/CER criptoya-cer 696.38 696.38
ARG/CER uva → cer 696.39 696.39
ARG/CER argentinadatos-uva → cer 695.87 695.87
ARG/UVA bcra-uva 1757.31 1757.31
ARG/UVA argentinadatos-uva 1757.31 1757.31
ARG/UVA criptoya-uva 1757.31 1757.31
ARG/UVA cer → uva 1757.3 1757.3
`

it('every source gives a candidate, in the order of its pair', () => {
  const lines = PAIRS.flatMap((one) =>
    said(pairKey(one), everything).map((line) => `${pairKey(one)} ${line}`),
  )
  expect(lines).toEqual(EXPECTED.trim().split('\n'))
})

/** The same documents at another time. */
it.each([
  // The BCRA publishes ahead, so the value changes at Argentine midnight.
  ['2026-03-04 23:59:59.999', 'ARG/CER', 'bcra-cer 696.38 696.38'],
  ['2026-03-05 00:00', 'ARG/CER', 'bcra-cer 696.9 696.9'],
  ['2026-02-20 12:00', 'ARG/CER', 'bcra-cer failed'],
  ['2027-03-01 12:00', 'ARG/CER', 'uva → cer failed'],
  ['2027-03-01 12:00', 'ARG/UVA', 'cer → uva failed'],
  // From hosts that may lag: today's value or none.
  ['2026-03-05 10:00', 'ARG/UVA', 'argentinadatos-uva failed'],
  // The newest day up to today, in whatever order.
  ['2026-03-02 23:00', 'USD/MAYORISTA', 'bcra-a3500 1476.4 1476.4'],
  ['2026-03-01 23:00', 'USD/MAYORISTA', 'bcra-a3500 failed'],
  // The front contract, and the settlement until the next session's is due.
  ['2026-04-01 11:00', 'USD/FUTURO', 'ambito-futuro-contratos 1502 1502'],
  ['2026-05-04 11:00', 'USD/FUTURO', 'ambito-futuro-contratos failed'],
  ['2026-03-04 06:10', 'USD/FUTURO', 'a3-dlr 1475.5 1475.5'],
  ['2026-03-04 21:00', 'USD/FUTURO', 'a3-dlr 1475.5 1475.5'],
  ['2026-03-05 06:10', 'USD/FUTURO', 'a3-dlr failed'],
  // A bank's quote counts for a day.
  ['2026-03-05 17:00', 'USD/OFICIAL', 'criptoya-bancos failed'],
])('at %s %s has %s', (at, key, line) => {
  expect(said(key, everything, { now: art(at) })).toContain(line)
})

it('the card dollar follows its rate', () => {
  const lines = said('USD/TARJETA', everything, { tarjetaRate: new Big('0.60') })
  expect(lines[0]).toBe('bna × tarjeta 2288 2368')
})

describe('candidates', () => {
  it('come only from sources requested so far', () => {
    expect(said('USD/BLUE', [answer('dolarhoy')])).toEqual(['dolarhoy 1465 1485.5'])
    expect(said('USD/BLUE', [])).toEqual([])
  })

  it('name a failed source, but not a source that waits for another document', () => {
    const results = [failed('ambito-euro-blue'), answer('ambito-blue')]
    expect(said('EUR/BLUE', results)).toEqual(['ambito-euro-blue failed'])
    expect(said('EUR/BLUE', [...results, failed('bcra-cotizaciones')])).toEqual([
      'ambito-euro-blue failed',
      'ambito-blue × EUR/USD failed',
    ])
  })

  it('name a source that answered without the pair', () => {
    expect(said('BRL/BNA', [{ source: 'bna-personas', ok: true, readings: [] }])).toEqual([
      'bna-personas failed',
    ])
  })

  it('have a provenance, a definition and a time stamp', () => {
    const { candidates } = deriveCandidates(pair('EUR/OFICIAL'), everything, context)
    expect(candidates[1]).toEqual({
      pair: pair('EUR/OFICIAL'),
      source: 'dolarapi-cotizaciones',
      provenance: 'iol',
      sameDefinition: false,
      onlySell: false,
      buy: 16_882_396,
      sell: 17_020_667,
      stamp: '2026-03-04T16:00:00.000Z',
    })
    const { candidates: bonds } = deriveCandidates(pair('USD/BOLSA'), everything, context)
    expect(bonds[0]).not.toHaveProperty('stamp')
  })
})

it('a price is cut to the decimals of its pair, halves away from zero', () => {
  expect(toPrice(new Big('1555.305'), 2)).toBe(15_553_100)
  expect(toPrice(new Big('1555.304999'), 2)).toBe(15_553_000)
  const tenThousandths = fc.integer({ min: -100_000_000_000, max: 100_000_000_000 })
  fc.assert(
    fc.property(tenThousandths, fc.constantFrom(0, 2, 4), (price, decimals) => {
      expect(toPrice(new Big(price).div(10_000), decimals) + 0).toBe(
        roundPrice(price, decimals) + 0,
      )
    }),
  )
})

describe('the front contract', () => {
  it.each([
    ['2026-03-31 23:59', '2026-03', 'on the last business day, a Tuesday'],
    ['2026-04-01 00:00', '2026-04', 'on the next business day'],
    ['2026-01-31 10:00', '2026-02', 'on the Saturday that ends its month'],
    ['2027-01-01 12:00', '2027-01', 'on New Year, a holiday'],
    ['2024-03-28 12:00', '2024-04', 'on Holy Thursday, when banks are closed'],
  ])('at %s is %s: %s', (at, month) => {
    expect(frontMonth(art(at))).toBe(month)
  })
})

describe('a contract name', () => {
  it.each([
    ['Dólar Septiembre 2026', '2026-09'],
    ['Dólar Setiembre 2026', '2026-09'],
    ['Diciembre de 2026', '2026-12'],
    ['Ene-27', '2027-01'],
    ['DLR092026', '2026-09'],
    ['DLR/112026', '2026-11'],
    ['DLR132026', null],
    ['Dólar Septiembre', null],
    ['Foo 2026', null],
  ])('%s is of %s', (name, month) => {
    expect(contractMonth(name)).toBe(month)
  })
})

describe('the list of sources', () => {
  it('has only sources that a pair needs', () => {
    const needed = new Set(PAIRS.flatMap((pair) => sourcesOf(pair).flatMap((way) => way.needs)))
    expect(SOURCES.map((source) => source.name).filter((name) => !needed.has(name))).toEqual([
      'argentinadatos-feriados',
    ])
  })

  it('requests only https, each source at its own address', () => {
    const urls = SOURCES.map((source) => source.request(now).url)
    expect(new Set(urls).size).toBe(urls.length)
    for (const url of urls) expect(new URL(url).protocol).toBe('https:')
  })

  it('requests from the BCRA the days up to today in Argentina', () => {
    const { url } = sourceNamed('bcra-cer').request(art('2026-03-04 23:59:59'))
    expect(url).toContain('Monetarias/30?desde=2026-02-22&hasta=2026-03-04&')
  })
})

describe('every pair', () => {
  it.each(PAIRS.map((pair) => [pairKey(pair), pair] as const))(
    '%s is fresh by the hours of its first source',
    (_, pair) => {
      const rhythms = sourcesOf(pair)[0]!.needs.map((name) => sourceNamed(name).rhythm)
      expect(rhythms).toEqual([pairRhythm(pair)])
    },
  )

  it('starts from a source of its own definition', () => {
    expect(PAIRS.filter((pair) => !sourcesOf(pair)[0]!.sameDefinition)).toEqual([])
  })
})
