import { expect, it } from 'vitest'
import { closedDay, isBankDay, isMarketDay, uvaDayBefore } from '../../../shared/market/holidays.ts'

/** Why banks, or banks and exchanges, are closed. */
it.each([
  ['2026-11-21', false, false, null],
  ['2026-11-23', false, false, 'Día de la Soberanía Nacional'],
  ['2026-04-02', false, false, 'Día del Veterano y de los Caídos en Malvinas'],
  // Moved from a Sunday by resolution.
  ['2025-10-10', false, false, 'Día del Respeto a la Diversidad Cultural'],
  ['2025-10-12', false, false, null],
  // Bridge days were full holidays. Now the exchange trades on them, with one exception.
  ['2023-10-13', false, false, 'Puente turístico'],
  ['2026-07-10', false, true, 'Puente turístico'],
  ['2025-05-02', false, false, 'Puente turístico'],
  // At that time the exchange followed the banks.
  ['2024-03-28', false, false, 'Jueves Santo'],
  ['2025-04-17', false, true, 'Jueves Santo'],
  ['2026-11-06', false, true, 'Día del Bancario'],
  ['2024-12-24', false, true, 'Asueto bancario de fin de año'],
  ['2025-12-31', false, false, 'Asueto bancario de fin de año'],
  // A Thursday and a Tuesday whose holiday is observed on a Monday.
  ['2027-06-17', true, true, null],
  ['2027-08-17', true, true, null],
])('%s: banks %s, exchanges %s: %s', (day, banks, exchanges, name) => {
  expect([isBankDay(day), isMarketDay(day)]).toEqual([banks, exchanges])
  expect(closedDay(day)?.name ?? null).toBe(name)
})

it('UVA counts the days that were closed after it had been published', () => {
  expect(uvaDayBefore('2024-12-26')).toBe('2024-12-24')
  expect(uvaDayBefore('2022-09-03')).toBe('2022-09-02')
  expect(uvaDayBefore('2022-05-19')).toBe('2022-05-17')
})
