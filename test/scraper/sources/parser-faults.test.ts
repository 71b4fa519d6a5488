import { describe, expect, it } from 'vitest'
import { SOURCES, sourceNamed } from '../../../workers/scraper/sources/index.ts'
import { SourceError } from '../../../workers/scraper/sources/source.ts'
import { document } from '../../support/documents.ts'
import { art } from '../../support/instant.ts'

const now = art('2026-03-04 15:55')

function failure(source: string, body: string): string {
  try {
    const readings = sourceNamed(source).parse(body, now)
    const missing = readings.flatMap((reading) => (reading.kind === 'missing' ? [reading.row] : []))
    const rows = readings.flatMap((one) =>
      one.kind === 'wholesale' ? one.rates.map(() => 1) : [1],
    )
    return [`read ${rows.length - missing.length}`, ...missing].join(', missing ')
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

/** For each source (and document, if named otherwise): one change, and its expected result. */
const CHANGES: Record<string, [what: string, from: string, to: string, expected: string][]> = {
  'ambito-blue ambito-quote.json': [
    ['a zero', '1442,50', '0,00', 'empty'],
    ['a negative', '"1492,75"', '"-1492,75"', 'format'],
    ['S/C for a side', '"1492,75"', '"S/C"', 'empty'],
    ['words for a price', '1492,75', 'mil', 'format'],
    ['a JSON number', '"1492,75"', '1492.75', 'format'],
    ['a date to come', '04/03/2026', '05/03/2026', 'format'],
  ],
  'ambito-riesgo': [
    ['zero points', '"ultimo":"1.043"', '"ultimo":"0"', 'empty'],
    ['no points', '"ultimo"', '"otro"', 'format'],
  ],
  'ambito-futuro-contratos': [
    ['other keys', 'contrato', 'vencimiento', 'read 1'],
    ['no price', '1478,00', '0,00', 'read 1'],
  ],
  'bna-personas': [
    ['no banknotes', 'id="billetes"', 'id="otros"', 'format'],
    ['no wholesale', 'id="divisas"', 'id="otras"', 'read 3, missing #divisas'],
    ['banknotes twice', 'id="divisas"', 'id="billetes"', 'format'],
    ['no dollar', '1430,00', '0,00', 'empty'],
    ['a doubled row', 'Real *', 'Euro', 'format'],
    ['no real', 'Real *', 'Real', 'read 15, missing BRL/BNA Real *'],
    ['a real at zero', '26750,00', '0,00', 'read 15, missing BRL/BNA Real *'],
    ['a short row', '<td>1480,00</td>', '', 'format'],
    ['a date to come', '4/3/2026', '14/3/2026', 'format'],
    ['an unknown title', 'YENES *', 'Rand (*)', 'read 16, missing #divisas unknown title'],
    ['an endless title', 'Yuan', 'Rand '.repeat(9), 'read 15, missing #divisas unsound'],
    ['a comma for a point', '1962.1377', '1962,1377', 'read 15, missing #divisas unsound'],
    ['a price of zero', '1962.1377', '0.0000', 'read 15, missing #divisas unsound'],
    ['sides that are swapped', '1962.1377', '1999.0000', 'read 15, missing #divisas unsound'],
    ['sides that are far apart', '1962.1377', '1500.0000', 'read 15, missing #divisas unsound'],
    ['a currency twice', 'Libra Esterlina', 'Coronas Suecas', 'read 15, missing #divisas SEK'],
  ],
  'bcra-cotizaciones': [
    ['a currency twice', '"BRL"', '"EUR"', 'format'],
    ['rates without date', '"2026-03-03"', 'null', 'format'],
    ['a date to come', '2026-03-03', '2026-03-05', 'format'],
    ['a day that is none', '2026-03-03', '2026-02-30', 'format'],
    ['zero for a currency', '1.59845100', '0.0', 'read 5, missing CLP'],
  ],
  'bcra-cer': [
    ['another variable', '"idVariable":30', '"idVariable":31', 'format'],
    ['a day twice', '2026-03-05', '2026-03-04', 'format'],
    ['a zero', '696.38377612215', '0', 'empty'],
    ['a text', '696.38377612215', '"696,38"', 'format'],
  ],
  'dolarapi-dolares': [
    ['a casa twice', '"blue"', '"bolsa"', 'format'],
    ['a casa at zero', '1485', '0', 'read 6, missing USD/BLUE'],
    ['a negative', '1485', '-1485', 'format'],
  ],
  'dolarapi-ambito': [
    ['no time', '2026-03-04T15:41:00.000Z', 'ayer', 'format'],
    ['a date to come', '2026-03-04T15:41', '2026-03-06T15:41', 'format'],
  ],
  'criptoya-dolar': [
    ['an old blue', '1772650100', '1726340047', 'read 3'],
    ['a changed block', '"ask":1485', '"venta":1485', 'format'],
  ],
  'criptoya-cer': [['a zero', '696.38', '0', 'empty']],
  'byma-bonds byma-cerrado.json': [['a closed market', 'AL30', 'AL30', 'empty']],
  'byma-bonds': [['a bond twice', '"AL30D"', '"AL30"', 'format']],
  'data912-bonds': [
    ['a bond twice', '"AL30D"', '"AL30"', 'format'],
    ['a text', '"c":80040', '"c":"80040"', 'format'],
  ],
  'argentinadatos-riesgo': [
    ['an old value', '2026-03-03', '2026-02-20', 'empty'],
    ['a date to come', '2026-03-03', '2026-03-05', 'format'],
  ],
  'argentinadatos-uva': [['a day twice', '2026-03-03', '2026-03-04', 'format']],
  dolarhoy: [
    ['another dollar', 'dolarblue">Dólar', 'usdc">Dólar', 'format'],
    ['the tile twice', 'dolaroficial">Dólar', 'dolarblue">Dólar', 'format'],
    ['no price', '$1.465', '-', 'empty'],
  ],
  'iol-monedas': [
    ['a name twice', 'Pesos Chilenos', 'Pesos Uruguayos', 'format'],
    ['a zero', '1,5983', '0,0000', 'empty'],
  ],
  'rava-riesgo': [
    ['another description', 'Riesgo País hoy', 'Riesgo País ayer', 'format'],
    ['a day that is none', '4 de marzo', '4 de mar', 'format'],
    ['a date to come', '4 de marzo', '5 de marzo', 'format'],
    ['an old page', '4 de marzo', '4 de febrero', 'empty'],
  ],
  belo: [
    ['no USDT', 'USDT/ARS', 'USDT/BRL', 'empty'],
    ['USDT twice', 'USDC/ARS', 'USDT/ARS', 'format'],
    ['a negative', '"1499.10"', '"-1499.10"', 'format'],
  ],
  'a3-dlr': [['no settlement', 'DLR0', 'XXX0', 'read 2']],
}

describe.each(Object.entries(CHANGES))('a document of %s with', (document_, changes) => {
  it.each(changes)('%s', (_, from, to, expected) => {
    const [source, file = source] = document_.split(' ') as [string, string?]
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

/** Documents of two megabytes that are slow to parse: each is refused or read quickly. */
const BYTES = 2 * 1024 * 1024

/** A cycle has thirty seconds of processor time for all its documents. */
const MOST_MS = 5000

/** Repeats a text many times behind the first place where `after` stands. */
function swollen(file: string, after: string, text: string): string {
  const body = document(file)
  const at = body.indexOf(after) + after.length
  expect(at, after).toBeGreaterThan(after.length - 1)
  return body.slice(0, at) + text.repeat(Math.floor(BYTES / text.length)) + body.slice(at)
}

it.each([
  ['dolarhoy', 'dolarhoy.html', '<body>', '<a href="/cotizaciondolarblue">x</a>'],
  ['dolarhoy', 'dolarhoy.html', '<body>', '<div class="compra">'],
  ['bna-personas', 'bna-personas.html', '<td>', '<table><tr><td>'],
  ['iol-monedas', 'iol-monedas.html', '<tbody>', '<tr><td>'],
  ['ambito-futuro-contratos', 'ambito-futuro-contratos.json', '[', '{},'],
  ['dolarapi-cotizaciones', 'dolarapi-cotizaciones.json', '[', '"",'],
] as const)('%s costs little: %s with “%s” and then “%s”', (name, file, after, text) => {
  const body = swollen(file, after, text)
  const since = performance.now()
  expect(failure(name, body)).toMatch(/^(read|format|empty)/)
  expect(performance.now() - since).toBeLessThan(MOST_MS)
})
