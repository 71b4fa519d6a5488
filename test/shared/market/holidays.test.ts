import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  type Day,
  daysBetween,
  dayStart,
  weekday,
} from '../../../shared/argentine-time.ts'
import { easterOf, nationalHolidays } from '../../../shared/market/holiday-law.ts'
import {
  bankDayBefore,
  closedDay,
  isBankDay,
  isMarketDay,
  isWeekend,
  uvaDayBefore,
} from '../../../shared/market/holidays.ts'

it.each([
  ['2026-11-21', false, false, 'a Saturday'],
  ['2026-11-23', false, false, 'the moved day of Sovereignty'],
  ['2026-07-10', false, true, 'a bridge day: the exchange trades'],
  ['2025-05-02', false, false, 'a bridge day on which the exchange was closed'],
  ['2025-10-10', false, false, 'a holiday moved from a Sunday by resolution'],
  ['2025-04-17', false, true, 'Holy Thursday: banks are closed'],
  ['2024-03-28', false, false, 'Holy Thursday, when the exchange followed the banks'],
  ['2026-11-06', false, true, "the bank workers' day"],
  ['2023-10-13', false, false, 'a bridge day when those were full holidays'],
  ['2024-12-24', false, true, 'leave of the banks while the exchange trades'],
  ['2025-12-31', false, false, 'leave of the banks and the exchange'],
  ['2027-06-17', true, true, 'a Thursday whose holiday is on Monday'],
  ['2027-06-21', false, false, 'that Monday'],
  ['2027-08-16', false, false, 'the Monday before a Tuesday'],
  ['2027-08-17', true, true, 'that Tuesday'],
])('%s: banks %s, exchanges %s: %s', (day, banks, exchanges) => {
  expect([isBankDay(day), isMarketDay(day)]).toEqual([banks, exchanges])
})

it.each([
  ['2026-11-24', '2026-11-20'],
  ['2026-12-09', '2026-12-04'],
  ['2024-12-26', '2024-12-23'],
])('the bank day before %s is %s', (day, before) => {
  expect(bankDayBefore(day)).toBe(before)
})

it('UVA counts the days that were closed after it had been published', () => {
  expect(uvaDayBefore('2024-12-26')).toBe('2024-12-24')
  expect(uvaDayBefore('2022-09-03')).toBe('2022-09-02')
  expect(uvaDayBefore('2022-05-19')).toBe('2022-05-17')
})

const MOVABLE = [
  ['06-17', 'Güemes'],
  ['08-17', 'San Martín'],
  ['10-12', 'Diversidad'],
  ['11-20', 'Soberanía'],
] as const

function observed(own: Day, name: string): Day[] {
  const days = nationalHolidays(Number(own.slice(0, 4)))
  return [...days].filter(([, other]) => other.includes(name)).map(([day]) => day)
}

describe('the law', () => {
  it.each([
    [2021, '2021-04-04'],
    [2026, '2026-04-05'],
  ])('Easter of %d is %s', (year, day) => expect(easterOf(year)).toBe(day))

  it('moves each movable holiday of every year to the Monday that article 6 names', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2026, max: 2200 }),
        fc.constantFrom(...MOVABLE),
        (year, one) => {
          const own = `${year}-${one[0]}`
          const days = observed(own, one[1])
          expect(days).toHaveLength(1)
          const moved = daysBetween(own, days[0]!)
          const by = [[0], [0], [-1], [-2], [4], [3, 0], [0]][weekday(dayStart(own))]!
          expect(by).toContain(moved)
          // A Friday stays only before the Monday of Belgrano.
          if (by.length === 2 && moved === 0) expect(addDays(own, 3)).toBe(`${year}-06-20`)
        },
      ),
    )
  })

  it.each([2022, 2033])('in %d Güemes stays on its Friday, for Monday is a holiday', (year) => {
    expect(observed(`${year}-06-17`, 'Güemes')).toEqual([`${year}-06-17`])
  })

  it('gives every year its holidays, none of them a weekend made business', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2018, max: 2200 }), (year) => {
        const names = [...nationalHolidays(year).values()]
        expect(names.filter((name) => name === 'Carnaval')).toHaveLength(2)
        for (const part of ['Viernes Santo', ...MOVABLE.map(([, name]) => name)]) {
          expect(names.filter((name) => name.includes(part))).toHaveLength(1)
        }
        for (const day of nationalHolidays(year).keys()) expect(isMarketDay(day)).toBe(false)
      }),
    )
  })
})

it.each([
  ['2024-03-28', 'Jueves Santo'],
  ['2026-04-02', 'Día del Veterano y de los Caídos en Malvinas'],
  ['2024-04-01', 'Puente turístico'],
  ['2025-08-15', 'Puente turístico'],
  ['2025-10-10', 'Día del Respeto a la Diversidad Cultural'],
  ['2025-10-12', undefined],
  ['2025-12-24', 'Asueto bancario de fin de año'],
  ['2026-03-02', undefined],
])('%s is %s', (day, name) => expect(closedDay(day)?.name).toBe(name))

it('a bank day is a market day, and neither is a weekend, in any year that can be written', () => {
  const days = fc.integer({ min: 0, max: 3_652_000 }).map((days) => addDays('0000-01-01', days))
  fc.assert(
    fc.property(days, (day) => {
      if (isBankDay(day)) expect(isMarketDay(day)).toBe(true)
      if (isMarketDay(day)) expect(isWeekend(day)).toBe(false)
    }),
  )
})
