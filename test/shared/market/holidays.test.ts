import { expect, it } from 'vitest'
import { bankDayBefore, isBankDay, isMarketDay } from '../../../shared/market/holidays.ts'

it.each([
  ['2026-11-20', true, true, 'a Friday'],
  ['2026-11-21', false, false, 'a Saturday'],
  ['2026-11-22', false, false, 'a Sunday'],
  ['2026-11-23', false, false, 'the moved day of Sovereignty'],
  ['2026-11-24', true, true, 'the Tuesday after'],
  ['2026-07-09', false, false, 'Independence Day'],
  ['2026-07-10', false, true, 'a bridge day: the exchange trades'],
  ['2025-04-17', false, true, 'Holy Thursday: banks are closed'],
  ['2026-11-06', false, true, "the bank workers' day"],
  ['2023-10-13', false, false, 'a bridge day when those were full holidays'],
  ['2031-01-02', true, true, 'a day beyond the list'],
])('%s: banks %s, exchanges %s: %s', (day, banks, exchanges) => {
  expect([isBankDay(day), isMarketDay(day)]).toEqual([banks, exchanges])
})

it.each([
  ['2026-11-24', '2026-11-20'],
  ['2026-11-21', '2026-11-20'],
  ['2026-11-20', '2026-11-19'],
  ['2026-12-09', '2026-12-04'],
  ['2027-01-01', '2026-12-31'],
])('the bank day before %s is %s', (day, before) => {
  expect(bankDayBefore(day)).toBe(before)
})
