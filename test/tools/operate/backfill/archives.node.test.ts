import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { pairKey, PAIRS } from '../../../../shared/market/catalog.ts'
import {
  argentinadatos,
  bcraCurrencies as currencies,
  bcraVariables as variables,
  SERVED,
} from '../../../../tools/operate/backfill/archives.ts'
import type { FileRecord } from '../../../../tools/operate/import/records.ts'
import { closingRates, rate, variable } from './archive-server.ts'

const casas = [
  { casa: 'blue', compra: null, venta: 4.05, fecha: '2011-01-03' },
  { casa: 'oficial', compra: 3.95, venta: 3.99, fecha: '2011-01-03' },
]
const uvas = [{ fecha: '2016-04-02', valor: 14.06 }]
const a3500 = variable(5, [{ fecha: '2026-09-25', valor: 1521.0833 }])
const euros = closingRates([
  { fecha: '2026-09-24', rates: [rate('EUR', 1612.042, 1.156)] },
  { fecha: '2026-09-23' },
  { fecha: null },
])
const twice = closingRates([
  { fecha: '2017-09-06', rates: [rate('EUR', 20, 1), rate('EUR', 20, 1)] },
])
const peso = (units: string) =>
  closingRates([{ fecha: '2016-05-02', rates: [rate('CLP', 21.4, 1, `PESO ${units}`)] }])

const lineOf = ({ fecha, valor, compra = valor, venta = valor, unidades }: FileRecord) =>
  `${String(fecha)} ${String(compra)} ${String(venta)}${unidades ? ` per ${String(unidades)}` : ''}`

it.each([
  [argentinadatos, 'blue', casas, '2011-01-03 null 4.05'],
  [argentinadatos, 'uva', uvas, '2016-04-02 14.06 14.06'],
  [variables, '5', a3500, '2026-09-25 1521.0833 1521.0833'],
  [currencies, 'EUR', euros, '2026-09-24 1612.042 1612.042 per 1'],
  [currencies, 'EUR/USD', euros, '2026-09-24 1.156 1.156'],
  [currencies, 'EUR', twice, '2017-09-06 20 20 per 1, 2017-09-06 20 20 per 1'],
  [currencies, 'CLP', peso('(C/100 UNIDADES)'), '2016-05-02 21.4 21.4 per 100'],
  [currencies, 'CLP', peso('(c/ 1.000 unidades)'), '2016-05-02 21.4 21.4 per 1000'],
])('reads $0.name, $1: $3', (archive, key, document, rows) => {
  const read = archive.read(JSON.stringify(document), key)
  expect(read.map(lineOf).join(', ')).toBe(rows)
})

it.each([
  ['another variable', variables, '5', variable(30, [])],
  ['a variable cut short', variables, '5', variable(5, [{ fecha: '2026-09-25', valor: 1 }], 3001)],
  ['an error', variables, '5', { status: 400, errorMessages: ['IdVariable invalida.'] }],
  [
    'another currency',
    currencies,
    'EUR',
    closingRates([{ fecha: '2026-09-24', rates: [rate('USD', 1519.5, 0)] }]),
  ],
  ['a currency cut short', currencies, 'EUR', closingRates([], 1001)],
])('refuses %s', (_, archive, key, document) => {
  expect(() => archive.read(JSON.stringify(document), key)).toThrow()
})

const parts = (archive: typeof variables, key: string, from: string, to: string) =>
  archive.addresses(key, from, to).map((url) => url.match(/\d{4}-\d\d-\d\d/g)!.join(' to '))

it('asks for whole years, as many as fit in one answer', () => {
  expect(parts(variables, '30', '2002-02-02', '2016-01-10')).toEqual([
    '2002-02-02 to 2007-12-31',
    '2008-01-01 to 2015-12-31',
    '2016-01-01 to 2016-01-10',
  ])
  expect(parts(currencies, 'EUR/USD', '2024-03-05', '2025-01-10')).toEqual([
    '2024-03-05 to 2024-12-31',
    '2025-01-01 to 2025-01-10',
  ])
})

it('docs/history.md names every pair that no archive has', () => {
  const without = PAIRS.map(pairKey).filter((key) => !SERVED[key])
  expect(readFileSync('docs/history.md', 'utf8')).toContain(
    `${without.slice(0, -1).join(', ')} and ${without.at(-1)} are in no archive`,
  )
})

it('a pair that is computed from a dollar comes after that dollar', () => {
  const order = PAIRS.map(pairKey)
  for (const [pair, all] of Object.entries(SERVED))
    for (const { times } of all)
      if (times) expect(order.indexOf(times)).toBeLessThan(order.findIndex((key) => key === pair))
})
