import { Big } from 'big.js'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findPairByKey } from '../../../shared/market/catalog.ts'
import { roundPrice } from '../../../shared/market/price.ts'
import type { SourceResult } from '../../../workers/scraper/collect/collect.ts'
import { deriveCandidates, toPrice } from '../../../workers/scraper/pairs/derive.ts'
import { sourceNamed } from '../../../workers/scraper/sources/index.ts'
import { document } from '../../support/documents.ts'
import { art } from '../../support/instant.ts'

const now = art('2026-03-04 15:55')
const context = { now, tarjetaRate: new Big('0.30'), current: new Map() }

/** A whole cycle of our own documents, at which every source answers. */
const DOCUMENTS: Record<string, string> = {
  'bna-personas': 'bna.html',
  'ambito-oficial': 'ambito-quote.json',
  'ambito-bna': 'ambito-quote.json',
  'ambito-blue': 'ambito-quote.json',
  'ambito-mayorista': 'ambito-quote.json',
  'ambito-mep': 'ambito-single.json',
  'ambito-ccl': 'ambito-single.json',
  'ambito-cripto': 'ambito-value-only.json',
  'ambito-turista': 'ambito-quote.json',
  'ambito-futuro': 'ambito-single.json',
  'ambito-futuro-contratos': 'ambito-futuro.json',
  'ambito-euro': 'ambito-quote.json',
  'ambito-euro-blue': 'ambito-quote.json',
  'ambito-real': 'ambito-quote.json',
  'ambito-riesgo-jornada': 'ambito-riesgo.json',
  'ambito-riesgo': 'ambito-riesgo.json',
  'bcra-cotizaciones': 'bcra-cotizaciones.json',
  'bcra-minorista': 'bcra-minorista.json',
  'bcra-a3500': 'bcra-a3500.json',
  'bcra-cer': 'bcra-cer.json',
  'bcra-uva': 'bcra-uva.json',
  'byma-bonds': 'byma.json',
  'data912-bonds': 'data912.json',
  'criptoya-usdt': 'criptoya-usdt.json',
  'criptoya-bancos': 'criptoya-bancos.json',
  'criptoya-dolar': 'criptoya-dolar.json',
  'criptoya-cer': 'criptoya-cer.json',
  'criptoya-uva': 'criptoya-uva.json',
  'dolarapi-dolares': 'dolarapi-dolares.json',
  'dolarapi-ambito': 'dolarapi-ambito.json',
  'dolarapi-cotizaciones': 'dolarapi-cotizaciones.json',
  dolarhoy: 'dolarhoy.html',
  'iol-monedas': 'iol.html',
  'rava-riesgo': 'rava.html',
  'a3-dlr': 'a3.json',
  'argentinadatos-riesgo': 'argentinadatos-riesgo.json',
  'argentinadatos-uva': 'argentinadatos-uva.json',
  bluelytics: 'bluelytics.json',
  belo: 'belo.json',
  comparadolar: 'comparadolar.json',
  mindicador: 'mindicador.json',
  bcu: 'bcu.xml',
  'bcb-ptax': 'bcb.json',
}

function answer(source: string): SourceResult {
  const readings = sourceNamed(source).parse(document(DOCUMENTS[source]!), now)
  return { source, ok: true, readings }
}

function failed(source: string): SourceResult {
  return { source, ok: false, failure: 'timeout' }
}

function pair(key: string) {
  return findPairByKey(key)!
}

/** "source buy sell" of each candidate, and the failed. */
function said(key: string, results: SourceResult[]) {
  const { candidates, failed } = deriveCandidates(pair(key), results, context)
  return [
    ...candidates.map(({ source, buy, sell }) => `${source} ${buy / 10_000} ${sell / 10_000}`),
    ...failed.map((name) => `${name} failed`),
  ]
}

const everything = Object.keys(DOCUMENTS).map(answer)

describe('what a cycle with every source says', () => {
  it.each<[string, string[]]>([
    [
      'USD/OFICIAL',
      [
        'ambito-oficial 1442.5 1492.75',
        'criptoya-bancos 1438 1490',
        'dolarapi-ambito 1442.5 1492.75',
        'bcra-minorista 1479.87 1479.87',
      ],
    ],
    [
      'USD/BNA',
      [
        'bna-personas 1430 1480',
        'ambito-bna 1442.5 1492.75',
        'criptoya-bancos 1430 1480',
        'dolarapi-ambito 1430 1480',
        'dolarapi-dolares 1430 1480',
      ],
    ],
    [
      'USD/BLUE',
      [
        'ambito-blue 1442.5 1492.75',
        'dolarhoy 1465 1485.5',
        'dolarapi-dolares 1465 1485',
        'criptoya-dolar 1465 1485',
        'bluelytics 1465 1486',
      ],
    ],
    [
      'USD/MAYORISTA',
      [
        'ambito-mayorista 1442.5 1492.75',
        'bna-personas 1451.5 1460.5',
        'dolarapi-dolares 1451.5 1460.5',
        'bcra-ref 1451.2364 1451.2364',
        'bcra-a3500 1451.2364 1451.2364',
      ],
    ],
    [
      'USD/BOLSA',
      [
        'byma-bonds 1467.35 1469.9',
        'data912-bonds 1467.35 1469.9',
        'criptoya-dolar 1468.9 1468.9',
        'ambito-mep 1468.31 1468.31',
        'dolarapi-dolares 1466.2 1470.9',
      ],
    ],
    [
      'USD/CCL',
      [
        'byma-bonds 1510.19 1510.19',
        'criptoya-dolar 1510.37 1510.37',
        'dolarapi-dolares 1509.1 1511.4',
        'ambito-ccl 1468.31 1468.31',
        'data912-bonds failed',
      ],
    ],
    [
      'USD/CRIPTO',
      [
        'criptoya-usdt 1498 1515.5',
        'belo 1499.1 1517.4',
        'comparadolar 1498 1515.5',
        'ambito-cripto 1471.9 1471.9',
        'criptoya-dolar 1501.5 1515',
        'dolarapi-dolares 1512 1516.25',
      ],
    ],
    [
      'USD/TARJETA',
      [
        'bna × tarjeta 1859 1924',
        'ambito-bna × tarjeta 1875.25 1940.58',
        'ambito-turista 1875.25 1492.75',
        'dolarapi-dolares 1859 1924',
      ],
    ],
    [
      'USD/FUTURO',
      [
        'ambito-futuro-contratos 1477.5 1478.5',
        'ambito-futuro 1468.31 1468.31',
        'a3-dlr 1475.5 1475.5',
      ],
    ],
    [
      'EUR/OFICIAL',
      [
        'ambito-euro 1442.5 1492.75',
        'dolarapi-cotizaciones 1688.2396 1702.0667',
        'iol-monedas 1688.2396 1702.0667',
        'bna-personas 1688.2396 1702.0667',
        'bcra-eur 1685.481 1685.481',
      ],
    ],
    ['EUR/BNA', ['bna-personas 1620.5 1715.25', 'ambito-bna × EUR/USD 1676.185 1734.5755']],
    [
      'EUR/BLUE',
      [
        'ambito-euro-blue 1442.5 1492.75',
        'ambito-blue × EUR/USD 1676.185 1734.5755',
        'dolarhoy × EUR/USD 1702.33 1726.151',
        'dolarapi-dolares × EUR/USD 1702.33 1725.57',
        'criptoya-dolar × EUR/USD 1702.33 1725.57',
      ],
    ],
    [
      'BRL/OFICIAL',
      [
        'ambito-real 1442.5 1492.75',
        'dolarapi-cotizaciones 277.1 277.2501',
        'iol-monedas 277.1 277.2501',
        'bcra-brl 277.0455 277.0455',
        'a3500 / bcb-ptax 277.0064 277.0064',
      ],
    ],
    ['BRL/BNA', ['bna-personas 267.5 281.5']],
    [
      'CLP/OFICIAL',
      [
        'dolarapi-cotizaciones 1.5983 1.5984',
        'iol-monedas 1.5983 1.5984',
        'bcra-clp 1.5985 1.5985',
        'a3500 / mindicador 1.5998 1.5998',
        'ambito-mayorista / bcu 1.5882 1.6435',
      ],
    ],
    [
      'UYU/OFICIAL',
      [
        'dolarapi-cotizaciones 37.4401 37.4402',
        'iol-monedas 37.4401 37.4402',
        'bcra-uyu 37.4374 37.4374',
        'a3500 / bcu 37.4377 37.4377',
      ],
    ],
    [
      'ARG/RIESGO',
      [
        'ambito-riesgo-jornada 1043 1043',
        'ambito-riesgo 1043 1043',
        'rava-riesgo 1043 1043',
        'argentinadatos-riesgo 1031 1031',
      ],
    ],
    [
      'ARG/CER',
      [
        'bcra-cer 696.38 696.38',
        'criptoya-cer 696.38 696.38',
        'uva → cer 696.39 696.39',
        'argentinadatos-uva → cer 695.87 695.87',
      ],
    ],
    [
      'ARG/UVA',
      [
        'bcra-uva 1757.31 1757.31',
        'argentinadatos-uva 1757.31 1757.31',
        'criptoya-uva 1757.31 1757.31',
        'cer → uva 1757.3 1757.3',
      ],
    ],
  ])('of %s', (key, expected) => {
    expect(said(key, everything)).toEqual(expected)
  })
})

describe('candidates', () => {
  it('are of the sources asked so far only', () => {
    expect(said('USD/BLUE', [answer('dolarhoy')])).toEqual(['dolarhoy 1465 1485.5'])
    expect(said('USD/BLUE', [])).toEqual([])
  })

  it('name a failed source, and not one that waits for another document', () => {
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

  it('say where they come from, how near they are, and their stamp', () => {
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
