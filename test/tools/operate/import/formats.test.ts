import { describe, expect, it } from 'vitest'
import { findPairByKey } from '../../../../shared/market/catalog.ts'
import { numberToPrice } from '../../../../shared/market/price.ts'
import {
  type Format,
  parseInstant,
  recognise,
  readPrice,
} from '../../../../tools/operate/import/formats.ts'
import { readFile } from '../../../../tools/operate/import/read-file.ts'
import { art } from '../../../support/instant.ts'

const NOW = art('2026-03-02 12:00')

async function read(file: string, rows: Record<string, unknown>[]) {
  const format = recognise(file, rows[0]!) as Format
  const stream = (async function* () {
    yield* rows
  })()
  return readFile(stream, format, NOW)
}

it.each([
  [
    'cotizaciones-dolares.json',
    { casa: 'blue', compra: 1, venta: 1, fecha: '' },
    'import:argentinadatos-dolares',
  ],
  [
    'cotizaciones.json',
    { moneda: 'EUR', compra: 1, venta: 1, fecha: '' },
    'import:argentinadatos-cotizaciones',
  ],
  ['riesgo-pais.json', { valor: 1, fecha: '' }, 'import:argentinadatos-riesgo'],
  ['C:\\data\\uva.json', { valor: 1, fecha: '' }, 'import:argentinadatos-uva'],
  ['/x/cer.csv', { fecha: '', valor: '1', source: '' }, 'import:cer'],
  [
    'dolares-hourly.csv',
    { observed_at: '', moneda: '', casa: '', compra: '', venta: '' },
    'import:dolarapi-hourly',
  ],
  ['any.csv', { currency: '', origin: '', at: '', buy: '', sell: '' }, 'import:csv'],
])('knows %s', (file, row, source) => {
  expect(recognise(file, row)).toMatchObject({ source })
})

it.each([
  ['values.json', { valor: 1, fecha: '' }, /neither riesgo, uva nor cer/],
  [
    'ambito-dolares-changes.csv',
    { observed_at: '', moneda: '', casa: '', compra: '', venta: '' },
    /replays/,
  ],
  ['feriados.json', { fecha: '', tipo: '', nombre: '' }, /not a format/],
])('leaves %s out and says why', (file, row, reason) => {
  expect(recognise(file, row)).toMatch(reason)
})

describe('a row', () => {
  const close = { casa: 'blue', compra: 10, venta: 11, fecha: '2025-01-02' }

  it.each([
    ['no value', { compra: null }],
    ['no value', { venta: '' }],
    ['zero', { venta: 0 }],
    ['zero', { compra: '0.000' }],
    ['zero', { compra: 0.004 }],
    ['nonsense price', { compra: -3 }],
    ['nonsense price', { venta: '1.234,50' }],
    ['nonsense price', { venta: 1e12 }],
    ['nonsense price', { venta: true }],
    ['not a date', { fecha: '2025-02-30' }],
    ['not a date', { fecha: 20250102 }],
    ['in the future', { fecha: '2026-03-02' }],
  ])('is skipped for %s: %o', async (reason, change) => {
    const { series } = await read('x.json', [{ ...close, ...change }])
    expect(series[0]).toMatchObject({ rows: [], read: 1, skipped: new Map([[reason, 1]]) })
  })

  it('of one day counts once; a different second one is counted apart', async () => {
    const { series } = await read('x.json', [close, close, { ...close, venta: 12 }])
    expect(series[0]!.rows).toEqual([
      { at: art('2025-01-02 23:59:59.999'), buy: numberToPrice(10), sell: numberToPrice(11) },
    ])
    expect(series[0]!.skipped).toEqual(
      new Map([
        ['twice', 1],
        ['twice, with different values', 1],
      ]),
    )
  })

  it('may come in any order', async () => {
    const { series } = await read('x.json', [close, { ...close, fecha: '2025-01-01' }])
    expect(series[0]!.rows.map(({ at }) => at)).toEqual([
      art('2025-01-01 23:59:59.999'),
      art('2025-01-02 23:59:59.999'),
    ])
  })

  it.each([
    ['2024-09-05', 0.9],
    ['2024-09-06', 90],
  ])('of CLP on %s is worth %s per one', async (fecha, sell) => {
    const row = { moneda: 'CLP', casa: 'oficial', compra: 90, venta: 90, fecha }
    const { series } = await read('cotizaciones.json', [row])
    expect(series[0]!.rows[0]!.sell).toBe(numberToPrice(sell))
  })

  it('of a plain CSV needs a known pair and a zone', async () => {
    const row = {
      currency: 'usd',
      origin: 'blue',
      at: '2025-01-02T10:00-03:00',
      buy: '1',
      sell: '2',
    }
    const { series, strangers } = await read('x.csv', [
      row,
      { ...row, at: '2025-01-02T10:00' },
      { ...row, origin: 'solidario' },
      { ...row, origin: 'solidario' },
    ])
    expect(series[0]).toMatchObject({
      rows: [{ at: art('2025-01-02 10:00') }],
      skipped: new Map([['not an instant with a zone', 1]]),
    })
    expect(strangers).toEqual(new Map([['no pair usd/solidario here', 2]]))
  })
})

it.each([
  ['2025-01-02T10:00Z', Date.UTC(2025, 0, 2, 10)],
  ['2025-01-02T10:00:05.123-03:00', Date.UTC(2025, 0, 2, 13, 0, 5, 123)],
  ['2025-01-02T10:00', null],
  ['2025-02-30T10:00Z', null],
  ['2025-01-02T25:00Z', null],
  ['2025-01-02', null],
  ['1735812000000', null],
])('the instant %s is %s', (text, instant) => {
  expect(parseInstant(text)).toBe(instant)
})

it.each([
  ['arg/cer', '553.645', 1, 553.65],
  ['arg/cer', '0.9949', 1, 0.99],
  ['arg/riesgo', '937.5', 1, 938],
  ['eur/oficial', '1162.39025', 1, 1162.3903],
  ['clp/oficial', '100.575', 100, 1.0058],
  ['usd/blue', '1.005', 1, 1.01],
])('a price of %s of %s / %s is %s', (key, text, unit, expected) => {
  expect(readPrice(text, findPairByKey(key)!, unit)).toEqual({ price: numberToPrice(expected) })
})
