import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { formatArgentine } from '../../../../shared/argentine-time.ts'
import { findPairByKey, pairKey } from '../../../../shared/market/catalog.ts'
import { recognise } from '../../../../tools/operate/import/formats.ts'
import { readFile } from '../../../../tools/operate/import/read-file.ts'
import { readRecords } from '../../../../tools/operate/import/records.ts'
import { CommandError } from '../../../../tools/support/arguments.ts'
import { openScratch } from '../../../../tools/support/scratch.ts'
import { art } from '../../../support/instant.ts'

const NOW = art('2026-03-02 12:00')

/** The result of a file: source, rows, and counts of left-out rows; or why it is refused. */
function read(name: string, text: string, pair?: string) {
  using scratch = openScratch()
  const file = scratch.file(name)
  writeFileSync(file, text)
  const rows = readRecords(file)
  const format = recognise(file, rows, findPairByKey(pair ?? ''))
  if (format === null || typeof format === 'string') return format

  const { series, leftOut } = readFile(rows, format, NOW)
  return {
    source: format.source,
    rows: series.flatMap(({ pair, rows }) =>
      rows.map(({ at, buy, sell }) =>
        [pairKey(pair), formatArgentine(at), buy / 10_000, sell / 10_000].join(' '),
      ),
    ),
    left: Object.fromEntries([...leftOut].map(([reason, { length }]) => [reason, length])),
  }
}

const close = { casa: 'blue', compra: 10, venta: 11, fecha: '2025-01-02' }
const dollars = (...changes: object[]) =>
  JSON.stringify(changes.map((change) => ({ ...close, ...change })))
const plain = (...rows: string[]) => ['currency,origin,at,buy,sell', ...rows].join('\n')
const hourly = 'observed_at,moneda,casa,compra,venta\n2025-01-02T13:00:00Z,USD,blue,1,2'
const END = 'T23:59:59.999-03:00'

it('reads a plain CSV, and rounds to the decimals of the pair', () => {
  expect(read('own.csv', plain('usd,blue,2025-01-02T10:00-03:00,1.005,"2"'))).toEqual({
    source: 'import:csv',
    rows: ['USD/BLUE 2025-01-02T10:00:00.000-03:00 1.01 2'],
    left: {},
  })
})

it.each([
  ['values.json', '[{"valor":1,"fecha":""}]', /neither riesgo, uva nor cer/],
  ['ambito-dolares-changes.csv', hourly, /replays/],
])('leaves out %s, with the reason', (name, text, reason) => {
  expect(read(name, text)).toMatch(reason)
})

it.each([
  ['no value', { compra: null }],
  ['zero', { compra: '0.000' }],
  ['zero', { compra: 0.004 }],
  ['nonsense price', { compra: -3 }],
  ['nonsense price', { venta: '1.234,50' }],
  ['nonsense price', { venta: 1e12 }],
  ['not a date', { fecha: '2025-02-30' }],
  ['not a date', { fecha: 20_250_102 }],
  ['in the future', { fecha: '2026-03-02' }],
])('leaves a row out for %s: %o', (reason, change) => {
  expect(read('x.json', dollars(change))).toMatchObject({ rows: [], left: { [reason]: 1 } })
})

it('accepts rows in any order, one per instant, and reports a second row with other values separately', () => {
  const rows = dollars({}, {}, { venta: 12 }, { fecha: '2025-01-01' })
  expect(read('x.json', rows)).toMatchObject({
    rows: [`USD/BLUE 2025-01-01${END} 10 11`, `USD/BLUE 2025-01-02${END} 10 11`],
    left: { twice: 1, 'twice, with different values': 1 },
  })
})

it('needs, in a plain CSV, a pair of the catalogue, an instant with a zone and one value of an index', () => {
  const rows = plain(
    'usd,blue,2025-01-02T10:00,1,2',
    'usd,blue,2025-02-30T10:00Z,1,2',
    'usd,blue,2025-01-02T25:00Z,1,2',
    'usd,solidario,2025-01-02T10:00Z,1,2',
    'arg,riesgo,2025-01-02T10:00Z,1,2',
  )
  expect(read('x.csv', rows)).toMatchObject({
    rows: [],
    left: {
      'not an instant with a zone': 3,
      'no pair usd/solidario here': 1,
      'buy and sell differ where the pair has one value': 1,
    },
  })
})

it.each([
  ['with semicolons', '\uFEFFFecha;Compra;Venta\r\n02/01/2025;1.410,5;1430,25\r\n'],
  ['with tabs', 'Fecha\tCompra\tVenta\n2025-01-02\t1410,5\t1430,25\n'],
  ['that names its separator', 'sep=;\nfecha;compra;venta\n2025-01-02;1410,5;1430,25\n'],
  ['that names a comma', 'sep=,\nfecha,compra,venta\n2025-01-02,1410.5,1430.25\n'],
])('reads the closes of one pair %s, as Excel in Spanish saves them', (_, text) => {
  expect(read('otro.csv', text, 'usd/blue')).toEqual({
    source: 'import:csv-daily',
    rows: [`USD/BLUE 2025-01-02${END} 1410.5 1430.25`],
    left: {},
  })
  expect(read('otro.csv', text)).toBeNull()
})

it('leaves out a number whose point may separate decimals or thousands', () => {
  const text = 'fecha;compra;venta\n2025-01-02;1.415;1435\n2025-01-03;1415;1435\n'
  expect(read('otro.csv', text, 'usd/blue')).toMatchObject({
    rows: [`USD/BLUE 2025-01-03${END} 1415 1435`],
    left: { 'nonsense price': 1 },
  })
})

it.each(['[{"valor":1,"fecha":""},{"a"', '[{"a":{"b":1}}]'])('refuses %s', (text) => {
  expect(() => read('uva.json', text)).toThrow(CommandError)
})
