import { describe, expect, it } from 'vitest'
import { argentinadatos } from '../../../../tools/operate/backfill/archives/argentinadatos.ts'
import { bcb } from '../../../../tools/operate/backfill/archives/bcb.ts'
import { bcraCurrencies } from '../../../../tools/operate/backfill/archives/bcra-currencies.ts'
import { bcraVariables } from '../../../../tools/operate/backfill/archives/bcra-variables.ts'
import { bluelytics } from '../../../../tools/operate/backfill/archives/bluelytics.ts'
import { mindicador } from '../../../../tools/operate/backfill/archives/mindicador.ts'

/** An answer of the BCRA with so many rows, of `count`. */
const paged = (results: unknown[], count = results.length) =>
  JSON.stringify({
    status: 200,
    metadata: { resultset: { count, offset: 0, limit: 1000 } },
    results,
  })
const rate = (
  codigoMoneda: string,
  tipoPase: number,
  tipoCotizacion: number,
  descripcion = '',
) => ({
  codigoMoneda,
  descripcion,
  tipoPase,
  tipoCotizacion,
})
const variable = (idVariable: number, detalle: unknown[], count = detalle.length) =>
  paged([{ idVariable, detalle }], count)

/** A row of bluelytics. */
const row = (source: string, value_sell: number) => ({
  date: '2026-08-05',
  source,
  value_sell,
  value_buy: value_sell - 20,
})
/** A row of BCB. */
const bulletin = (tipoBoletim: string, cotacaoVenda: number) => ({
  paridadeCompra: 1,
  cotacaoVenda,
  dataHoraCotacao: '2026-03-02 13:09:26.433',
  tipoBoletim,
})

describe('argentinadatos', () => {
  const dollars = JSON.stringify([
    { casa: 'blue', compra: 4, venta: 4.05, fecha: '2011-01-03' },
    { casa: 'oficial', compra: 3.95, venta: 3.99, fecha: '2011-01-03' },
    { casa: 'blue', compra: null, venta: 4.06, fecha: '2011-01-04' },
  ])

  it('gives the rows of one casa, values as they stand', () => {
    expect(argentinadatos.read(dollars, 'blue')).toEqual([
      { day: '2011-01-03', buy: 4, sell: 4.05 },
      { day: '2011-01-04', buy: null, sell: 4.06 },
    ])
  })

  it('has its indices in documents of their own, and their points as `import` has them', () => {
    const body = '[{"fecha":"1999-01-22","valor":1139}]'
    expect(argentinadatos.read(body, 'riesgo-pais')).toEqual([
      { day: '1999-01-22', buy: 1139, sell: 1139 },
    ])
    expect(argentinadatos.addresses('riesgo-pais', '', '')).toEqual([
      'https://api.argentinadatos.com/v1/finanzas/indices/riesgo-pais',
    ])
    expect(['blue', 'riesgo-pais', 'uva'].map((key) => argentinadatos.source(key))).toEqual([
      'import:argentinadatos-dolares',
      'import:argentinadatos-riesgo',
      'import:argentinadatos-uva',
    ])
  })
})

describe('the variables of the BCRA', () => {
  it('are one number a day', () => {
    const body = variable(5, [{ fecha: '2026-09-25', valor: 1521.0833 }])
    expect(bcraVariables.read(body, '5')).toEqual([
      { day: '2026-09-25', buy: 1521.0833, sell: 1521.0833 },
    ])
    expect(bcraVariables.read(variable(40, []), '40')).toEqual([])
  })

  it.each([
    ['another variable', variable(30, [])],
    ['an answer cut short', variable(5, [{ fecha: '2026-09-25', valor: 1 }], 3001)],
    ['an error', '{"status":400,"errorMessages":["IdVariable invalida."]}'],
    ['a page of HTML', '<html></html>'],
  ])('refuse %s', (_, body) => {
    expect(() => bcraVariables.read(body, '5')).toThrow()
  })

  it('are asked for in stretches of which every calendar day fits in one answer', () => {
    const asked = bcraVariables.addresses('30', '2002-02-02', '2026-11-20').map((address) => {
      const { searchParams } = new URL(address)
      return [searchParams.get('desde'), searchParams.get('hasta')]
    })
    expect(asked).toEqual([
      ['2002-02-02', '2007-12-31'],
      ['2008-01-01', '2015-12-31'],
      ['2016-01-01', '2023-12-31'],
      ['2024-01-01', '2026-11-20'],
    ])
  })
})

describe('the currencies of the BCRA', () => {
  it('are pesos per unit, and nothing on a day without business', () => {
    const body = paged([
      { fecha: '2026-09-24', detalle: [rate('EUR', 1.156, 1612.042, 'EURO')] },
      { fecha: '2026-09-23', detalle: [] },
      { fecha: null, detalle: [] },
    ])
    expect(bcraCurrencies.read(body, 'EUR')).toEqual([
      { day: '2026-09-24', buy: 1612.042, sell: 1612.042, unit: 1 },
    ])
    expect(bcraCurrencies.read(body, 'EUR/USD')).toEqual([
      { day: '2026-09-24', buy: 1.156, sell: 1.156 },
    ])
  })

  it.each([
    ['PESO CHILENO', 1],
    ['PESO CHILENO (C/100 UNIDADES)', 100],
    ['PESO CHILENO (C/1.000 UNIDADES)', 1000],
    ['DONG VIETNAM (c/ 1.000 unidades)', 1000],
  ])('%s is told per %i', (description, unit) => {
    const body = paged([{ fecha: '2016-05-02', detalle: [rate('CLP', 0.0015, 21.4, description)] }])
    expect(bcraCurrencies.read(body, 'CLP')[0]!.unit).toBe(unit)
  })

  it('keep both rows of a day that they have twice, as they had 2017-09-06', () => {
    const twice = [rate('EUR', 1.19, 20.6), rate('EUR', 1.19, 20.6)]
    expect(
      bcraCurrencies.read(paged([{ fecha: '2017-09-06', detalle: twice }]), 'EUR'),
    ).toHaveLength(2)
  })

  it.each([
    ['another currency', paged([{ fecha: '2026-09-24', detalle: [rate('USD', 0, 1519.5)] }])],
    ['an answer cut short', paged([], 1001)],
  ])('refuse %s', (_, body) => {
    expect(() => bcraCurrencies.read(body, 'EUR')).toThrow()
  })

  it('are asked for by year', () => {
    const asked = bcraCurrencies.addresses('CLP', '2024-03-05', '2026-01-10')
    expect(asked.map((address) => new URL(address).search)).toEqual([
      '?fechadesde=2024-03-05&fechahasta=2024-12-31&limit=1000&offset=0',
      '?fechadesde=2025-01-01&fechahasta=2025-12-31&limit=1000&offset=0',
      '?fechadesde=2026-01-01&fechahasta=2026-01-10&limit=1000&offset=0',
    ])
    expect(bcraCurrencies.addresses('EUR/USD', '2024-03-05', '2024-03-05')[0]).toContain('/EUR?')
  })
})

it('bluelytics has several series in one document', () => {
  const body = JSON.stringify([row('Oficial', 1530), row('Blue', 1545), row('Blue Euro', 1680)])
  expect(bluelytics.read(body, 'Blue')).toEqual([{ day: '2026-08-05', buy: 1525, sell: 1545 }])
})

it('mindicador dates its rows by Chilean midnights, which are 03:00 or 04:00 in UTC', () => {
  const serie = [
    { fecha: '2023-05-31T04:00:00.000Z', valor: 803.94 },
    { fecha: '2023-01-03T03:00:00.000Z', valor: 855.86 },
  ]
  expect(mindicador.read(JSON.stringify({ codigo: 'dolar', serie }), 'dolar')).toEqual([
    { day: '2023-05-31', buy: 803.94, sell: 803.94 },
    { day: '2023-01-03', buy: 855.86, sell: 855.86 },
  ])
  expect(() => mindicador.read(JSON.stringify({ codigo: 'euro', serie }), 'dolar')).toThrow()
  expect(mindicador.addresses('dolar', '2022-12-30', '2023-01-02')).toEqual([
    'https://mindicador.cl/api/dolar/2022',
    'https://mindicador.cl/api/dolar/2023',
  ])
})

it('BCB counts the closing bulletin alone', () => {
  const body = JSON.stringify({
    value: [bulletin('Abertura', 5.21), bulletin('Fechamento', 5.2001)],
  })
  expect(bcb.read(body, 'USD')).toEqual([{ day: '2026-03-02', buy: 5.2001, sell: 5.2001 }])
})
