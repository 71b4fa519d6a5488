import { expect, it } from 'vitest'
import { toCsv } from '../../../workers/edge/http/csv.ts'

it('writes a header and rows that end in CRLF', () => {
  const rows = [
    { name: 'Dólar Blue', buy: 1410.5, sameDay: true },
    { name: 'CER', buy: null, sameDay: false },
  ]
  expect(toCsv(['name', 'buy', 'sameDay'], rows)).toBe(
    'name,buy,sameDay\r\nDólar Blue,1410.5,true\r\nCER,,false\r\n',
  )
})

it('is a header alone for no rows', () => {
  expect(toCsv(['a', 'b'], [])).toBe('a,b\r\n')
})

it.each([
  ['a,b', '"a,b"'],
  ['say "so"', '"say ""so"""'],
  ['two\nlines', '"two\nlines"'],
  ['two\rlines', '"two\rlines"'],
  ['Dólar Bolsa (MEP)', 'Dólar Bolsa (MEP)'],
])('writes %j as %j', (value, field) => {
  expect(toCsv(['x'], [{ x: value }])).toBe(`x\r\n${field}\r\n`)
})
