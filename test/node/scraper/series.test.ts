import { readFileSync } from 'node:fs'
import { Big } from 'big.js'
import { expect, it } from 'vitest'
import { addDays } from '../../../shared/argentine-time.ts'
import { isBankHoliday, isHoliday } from '../../../shared/market/holidays.ts'
import { cerFromUva, uvaFromCer } from '../../../workers/scraper/pairs/derive/indices.ts'
import type { Documents } from '../../../workers/scraper/pairs/pair-source.ts'
import { art } from '../../support/instant.ts'

const context = { tarjetaRate: new Big(0), current: new Map() }

type DayValue = [day: string, value: Big]

const text = (name: string) => readFileSync(`test/fixtures/series/${name}`, 'utf8')

const CER: DayValue[] = text('cer.csv')
  .trim()
  .split('\n')
  .slice(1)
  .map((row) => [row.split(',')[0]!, new Big(row.split(',')[1]!)])

const UVA: DayValue[] = (JSON.parse(text('uva.json')) as { fecha: string; valor: number }[]).map(
  ({ fecha, valor }) => [fecha, new Big(valor)],
)

function inputs(name: string, values: DayValue[]): Documents {
  return new Map([[name, values.map(([day, value]) => ({ kind: 'input', name, day, value }))]])
}

const within = (values: DayValue[], from: string, to: string) =>
  values.filter(([day]) => day >= from && day <= to)

it('every holiday of 2021 to 2027 is known, and no other', () => {
  const rows = JSON.parse(text('feriados.json')) as { fecha: string }[]
  const days = new Set(rows.map(({ fecha }) => fecha))
  expect([...days].filter((day) => !(isHoliday(day) || isBankHoliday(day)))).toEqual([])
  for (let day = '2021-01-01'; day <= '2027-12-31'; day = addDays(day, 1)) {
    if (isHoliday(day)) expect(days.has(day), day).toBe(true)
  }
})

it.each([
  ['2023-09-01', '2024-04-10', '0.0101', []],
  // Two holidays were decreed overnight.
  ['2022-08-20', '2022-12-31', '0.02', ['2022-09-03', '2022-09-04', '2022-09-05', '2022-12-21']],
])('UVA is what CER makes it from %s to %s, within %s', (from, to, tolerance, exceptions) => {
  const cer = inputs('CER', CER)
  const uva = within(UVA, from, to)
  const wrong = uva.flatMap(([day, value]) => {
    const quote = uvaFromCer('CER')(cer, { ...context, now: art(`${day} 12:00`) })
    return quote?.sell.minus(value).abs().lte(tolerance) ? [] : [day]
  })
  expect(uva.length).toBeGreaterThan(130)
  expect(wrong).toEqual(exceptions)
})

it('CER is what UVA makes it, to a few hundredths, on every day of the week', () => {
  const uva = inputs('UVA', UVA)
  const cer = within(CER, '2023-09-01', '2024-04-10')
  const wrong = cer.flatMap(([day, value]) => {
    const quote = cerFromUva('UVA')(uva, { ...context, now: art(`${day} 12:00`) })
    return quote?.sell.minus(value).abs().lte('0.1') ? [] : [day]
  })
  expect(cer).toHaveLength(223)
  expect(wrong).toEqual([])
})
