import { readFileSync } from 'node:fs'
import { Big } from 'big.js'
import { expect, it } from 'vitest'
import { compareHolidays } from '../../shared/market/holidays.ts'
import { cerFromUva, uvaFromCer } from '../../workers/scraper/pairs/derive/indices.ts'
import type { Reading } from '../../workers/scraper/sources/source.ts'
import { art } from '../support/instant.ts'

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

function inputs(name: string, values: DayValue[]): Reading[] {
  return values.map(([day, value]) => ({ kind: 'input', name, day, value }))
}

const within = (values: DayValue[], from: string, to: string) =>
  values.filter(([day]) => day >= from && day <= to)

it('every recorded holiday of 2021 to 2027 follows from the law or a decree, and the list lacks what was decreed or moved after it', () => {
  const rows = JSON.parse(text('feriados.json')) as { fecha: string; tipo: string }[]
  const days = rows.map(({ fecha, tipo }) => ({ day: fecha, kind: tipo, name: '' }))
  const found = [2021, 2022, 2023, 2024, 2025, 2026, 2027].map((year) =>
    compareHolidays(
      year,
      days.filter(({ day }) => day.startsWith(`${year}`)),
    ),
  )
  expect(found.flatMap(({ decreed }) => decreed)).toEqual([])
  expect(found.flatMap(({ lacking }) => lacking).toSorted()).toEqual([
    '2026-11-09',
    '2027-06-21',
    '2027-08-16',
    '2027-10-11',
  ])
})

it.each([
  ['2023-09-01', '2024-04-10', '0.0101'],
  // Two holidays were decreed overnight, after their UVA was published.
  ['2022-08-20', '2022-12-31', '0.02'],
])('UVA follows from CER from %s to %s, within %s', (from, to, tolerance) => {
  const cer = inputs('CER', CER)
  const uva = within(UVA, from, to)
  const wrong = uva.flatMap(([day, value]) => {
    const quote = uvaFromCer(cer, { ...context, now: art(`${day} 12:00`) })
    return quote?.sell.minus(value).abs().lte(tolerance) ? [] : [day]
  })
  expect(uva.length).toBeGreaterThan(130)
  expect(wrong).toEqual([])
})

it('CER follows from UVA, to a few hundredths, on every day of the week', () => {
  const uva = inputs('UVA', UVA)
  const cer = within(CER, '2023-09-01', '2024-04-10')
  const wrong = cer.flatMap(([day, value]) => {
    const quote = cerFromUva(uva, { ...context, now: art(`${day} 12:00`) })
    return quote?.sell.minus(value).abs().lte('0.1') ? [] : [day]
  })
  expect(cer).toHaveLength(223)
  expect(wrong).toEqual([])
})
