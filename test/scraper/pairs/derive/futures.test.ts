import { describe, expect, it } from 'vitest'
import { frontMonth } from '../../../../workers/scraper/pairs/derive/futures.ts'
import { contractMonth } from '../../../../workers/scraper/sources/futures.ts'
import { art } from '../../../support/instant.ts'

describe('the front contract', () => {
  it.each([
    ['2026-03-04 12:00', '2026-03', 'in the month'],
    ['2026-03-31 23:59', '2026-03', 'on the last business day, a Tuesday'],
    ['2026-04-01 00:00', '2026-04', 'on the next business day'],
    ['2026-01-30 17:30', '2026-01', 'on the last Friday of a month that ends on Saturday'],
    ['2026-01-31 10:00', '2026-02', 'on that Saturday'],
    ['2026-11-30 12:00', '2026-11', 'on a last day that is a Monday'],
    ['2026-12-31 12:00', '2026-12', 'on the last day of the year'],
    ['2027-01-01 12:00', '2027-01', 'on New Year, a holiday'],
    ['2024-03-27 12:00', '2024-03', 'on the last business day before Easter'],
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
    ['Dólar Spot', null],
    ['Dólar Septiembre', null],
    ['Foo 2026', null],
  ])('%s is of %s', (name, month) => {
    expect(contractMonth(name)).toBe(month)
  })
})
