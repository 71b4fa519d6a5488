import { describe, expect, it } from 'vitest'
import { SOURCES, sourceNamed } from '../../../workers/scraper/sources/index.ts'
import { SourceError } from '../../../workers/scraper/sources/parsing/source-error.ts'
import { document } from '../../support/documents.ts'
import { art } from '../../support/instant.ts'

const now = art('2026-03-04 15:55')

function failure(source: string, body: string): string {
  try {
    const readings = sourceNamed(source).parse(body, now)
    const missing = readings.flatMap((reading) => (reading.kind === 'missing' ? [reading.row] : []))
    return [`read ${readings.length - missing.length}`, ...missing].join(', missing ')
  } catch (error) {
    return error instanceof SourceError ? error.failure : String(error)
  }
}

const PAGE = '<!DOCTYPE html><html><body><h1>Sitio en mantenimiento</h1></body></html>'
const names = SOURCES.map((source) => source.name)

describe('every source fails loudly', () => {
  const foreign = [
    ['a page of maintenance', PAGE],
    ['a refusal in text', 'Invalid pair'],
    ['a refusal in JSON', '{"error":"Invalid pair"}'],
    ['null', 'null'],
    ['an empty object', '{}'],
    ['an empty list', '[]'],
    ['a cut document', '{"compra":"1442,5'],
    ['a number', '42'],
  ] as const

  it.each(foreign)('on %s', (_, body) => {
    const loud = /^(format|empty)$/
    expect(names.filter((name) => !loud.test(failure(name, body)))).toEqual([])
  })

  it('and never quotes the document in its message', () => {
    const secret = 'SECRETO-4815162342'
    for (const name of names) {
      expect(() => sourceNamed(name).parse(`{"${secret}": "${secret}"}`, now)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining(secret) }),
      )
    }
  })
})

/** A document changed in one place, and the class that it must fail with. */
const changes: [
  what: string,
  source: string,
  file: string,
  from: string,
  to: string,
  class_: string,
][] = [
  ['a zero', 'ambito-blue', 'ambito-quote.json', '1442,50', '0,00', 'empty'],
  ['a negative', 'ambito-blue', 'ambito-quote.json', '"1492,75"', '"-1492,75"', 'format'],
  ['S/C for a side', 'ambito-blue', 'ambito-quote.json', '"1492,75"', '"S/C"', 'empty'],
  ['words for a price', 'ambito-blue', 'ambito-quote.json', '1492,75', 'mil', 'format'],
  ['a JSON number', 'ambito-blue', 'ambito-quote.json', '"1492,75"', '1492.75', 'format'],
  ['a date to come', 'ambito-blue', 'ambito-quote.json', '04/03/2026', '05/03/2026', 'format'],
  [
    'zero points',
    'ambito-riesgo',
    'ambito-riesgo.json',
    '"ultimo":"1.043"',
    '"ultimo":"0"',
    'empty',
  ],
  ['no points', 'ambito-riesgo', 'ambito-riesgo.json', '"ultimo"', '"otro"', 'format'],
  [
    'other keys',
    'ambito-futuro-contratos',
    'ambito-futuro.json',
    'contrato',
    'vencimiento',
    'read 1',
  ],
  ['no banknotes', 'bna-personas', 'bna.html', 'id="billetes"', 'id="otros"', 'format'],
  [
    'no wholesale',
    'bna-personas',
    'bna.html',
    'id="divisas"',
    'id="otras"',
    'read 3, missing #divisas',
  ],
  ['banknotes twice', 'bna-personas', 'bna.html', 'id="divisas"', 'id="billetes"', 'format'],
  ['no dollar', 'bna-personas', 'bna.html', '1430,00', '0,00', 'empty'],
  ['a doubled row', 'bna-personas', 'bna.html', 'Real *', 'Euro', 'format'],
  ['no real', 'bna-personas', 'bna.html', 'Real *', 'Real', 'read 5, missing BRL/BNA Real *'],
  [
    'a real at zero',
    'bna-personas',
    'bna.html',
    '26750,00',
    '0,00',
    'read 5, missing BRL/BNA Real *',
  ],
  ['a short row', 'bna-personas', 'bna.html', '<td>1480,00</td>', '', 'format'],
  ['a date to come', 'bna-personas', 'bna.html', '4/3/2026', '14/3/2026', 'format'],
  ['a currency twice', 'bcra-cotizaciones', 'bcra-cotizaciones.json', '"BRL"', '"EUR"', 'format'],
  [
    'rates without date',
    'bcra-cotizaciones',
    'bcra-cotizaciones.json',
    '"2026-03-03"',
    'null',
    'format',
  ],
  [
    'a date to come',
    'bcra-cotizaciones',
    'bcra-cotizaciones.json',
    '2026-03-03',
    '2026-03-05',
    'format',
  ],
  [
    'a day that is none',
    'bcra-cotizaciones',
    'bcra-cotizaciones.json',
    '2026-03-03',
    '2026-02-30',
    'format',
  ],
  [
    'zero for a currency',
    'bcra-cotizaciones',
    'bcra-cotizaciones.json',
    '1.59845100',
    '0.0',
    'read 5, missing CLP',
  ],
  ['another variable', 'bcra-cer', 'bcra-cer.json', '"idVariable":30', '"idVariable":31', 'format'],
  ['a day twice', 'bcra-cer', 'bcra-cer.json', '2026-03-05', '2026-03-04', 'format'],
  ['a zero', 'bcra-cer', 'bcra-cer.json', '696.38377612215', '0', 'empty'],
  ['a text', 'bcra-cer', 'bcra-cer.json', '696.38377612215', '"696,38"', 'format'],
  ['a casa twice', 'dolarapi-dolares', 'dolarapi-dolares.json', '"blue"', '"bolsa"', 'format'],
  [
    'a casa at zero',
    'dolarapi-dolares',
    'dolarapi-dolares.json',
    '1485',
    '0',
    'read 6, missing USD/BLUE',
  ],
  ['a negative', 'dolarapi-dolares', 'dolarapi-dolares.json', '1485', '-1485', 'format'],
  [
    'no time',
    'dolarapi-ambito',
    'dolarapi-ambito.json',
    '2026-03-04T15:41:00.000Z',
    'ayer',
    'format',
  ],
  [
    'a date to come',
    'dolarapi-ambito',
    'dolarapi-ambito.json',
    '2026-03-04T15:41',
    '2026-03-06T15:41',
    'format',
  ],
  ['an old blue', 'criptoya-dolar', 'criptoya-dolar.json', '1772650100', '1726340047', 'read 3'],
  [
    'a changed block',
    'criptoya-dolar',
    'criptoya-dolar.json',
    '"ask":1485',
    '"venta":1485',
    'format',
  ],
  ['a zero', 'criptoya-cer', 'criptoya-cer.json', '696.38', '0', 'empty'],
  ['a closed market', 'byma-bonds', 'byma-cerrado.json', 'AL30', 'AL30', 'empty'],
  ['a bond twice', 'byma-bonds', 'byma.json', '"AL30D"', '"AL30"', 'format'],
  ['a bond twice', 'data912-bonds', 'data912.json', '"AL30D"', '"AL30"', 'format'],
  ['a text', 'data912-bonds', 'data912.json', '"c":80040', '"c":"80040"', 'format'],
  [
    'an old value',
    'argentinadatos-riesgo',
    'argentinadatos-riesgo.json',
    '2026-03-03',
    '2026-02-20',
    'empty',
  ],
  [
    'a date to come',
    'argentinadatos-riesgo',
    'argentinadatos-riesgo.json',
    '2026-03-03',
    '2026-03-05',
    'format',
  ],
  [
    'a day twice',
    'argentinadatos-uva',
    'argentinadatos-uva.json',
    '2026-03-03',
    '2026-03-04',
    'format',
  ],
  [
    'another dollar',
    'dolarhoy',
    'dolarhoy.html',
    'class="title"><a href="/cotizaciondolarblue"',
    'class="title"><a href="/cotizacionusdc"',
    'format',
  ],
  [
    'the tile twice',
    'dolarhoy',
    'dolarhoy.html',
    'class="title"><a href="/cotizaciondolaroficial"',
    'class="title"><a href="/cotizaciondolarblue"',
    'format',
  ],
  ['no price', 'dolarhoy', 'dolarhoy.html', '$1.465', '-', 'empty'],
  ['a name twice', 'iol-monedas', 'iol.html', 'Pesos Chilenos', 'Pesos Uruguayos', 'format'],
  ['a zero', 'iol-monedas', 'iol.html', '1,5983', '0,0000', 'empty'],
  ['two numbers', 'rava-riesgo', 'rava.html', '"price":1043', '"price":1104', 'format'],
  ['one number', 'rava-riesgo', 'rava.html', '"price":1043', '"precio":1043', 'read 1'],
  ['an old page', 'rava-riesgo', 'rava.html', '4 de marzo', '4 de febrero', 'empty'],
  ['another indicator', 'mindicador', 'mindicador.json', '"dolar"', '"euro"', 'format'],
  ['a refusal', 'bcu', 'bcu-sin-datos.xml', '100', '100', 'empty'],
  ['no dollar', 'bcu', 'bcu.xml', '<Moneda>2225<', '<Moneda>1111<', 'read 2'],
  ['a zero', 'bcu', 'bcu.xml', '38.764000', '0.000000', 'empty'],
  ['an opening bulletin', 'bcb-ptax', 'bcb.json', 'Fechamento', 'Abertura', 'format'],
  ['no USDT', 'belo', 'belo.json', 'USDT/ARS', 'USDT/BRL', 'empty'],
  ['USDT twice', 'belo', 'belo.json', 'USDC/ARS', 'USDT/ARS', 'format'],
  ['a negative', 'belo', 'belo.json', '"1499.10"', '"-1499.10"', 'format'],
  ['a zero', 'bluelytics', 'bluelytics.json', '"value_sell":1486.0', '"value_sell":0', 'empty'],
  ['no settlement', 'a3-dlr', 'a3.json', 'DLR0', 'XXX0', 'read 2'],
]

describe('one change in a document', () => {
  it.each(changes)('%s: %s', (_, source, file, from, to, expected) => {
    const body = document(file)
    expect(body).toContain(from)
    expect(
      failure(
        source,
        body.replace(from, () => to),
      ),
    ).toBe(expected)
  })
})
