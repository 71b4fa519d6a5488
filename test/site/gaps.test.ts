import { expect, it } from 'vitest'
import { DAY_MS } from '../../shared/argentine-time.ts'
import { findPairByKey } from '../../shared/market/catalog.ts'
import { type Close, closesKey } from '../../shared/board/charts.ts'
import { getPage, putChart, textOf } from './page.ts'
import { NOON } from '../support/instant.ts'
import { aBoardQuote, seedBoard } from '../support/board.ts'

const today = Date.parse('2026-03-02') / DAY_MS

const get = () => getPage('/brecha')

/** Closes of the last 40 days; `back` is how many days ago. */
const days = (sellOf: (back: number) => number): Close[] =>
  Array.from({ length: 40 }, (_, i) => [today - 40 + i, sellOf(40 - i) * 10_000, 1])

const seedCloses = (key: string, closes: Close[]) =>
  putChart(closesKey(findPairByKey(key)!), { closes })

it('shows each gap now and before, and the days of its minimum and maximum', async () => {
  await seedBoard(NOON, {
    quotes: [
      aBoardQuote('USD/OFICIAL', { sell: 1400 }),
      aBoardQuote('USD/BLUE', { sell: 1430 }),
      aBoardQuote('USD/CCL', { sell: 1470 }),
    ],
  })
  await seedCloses(
    'usd/oficial',
    days(() => 1000),
  )
  await seedCloses(
    'usd/blue',
    days((back) => (back === 20 ? 1300 : back === 3 ? 990 : 1100)),
  )
  const response = await get()
  const text = await textOf(response.clone())
  const page = await response.text()
  expect(text).toContain('La brecha entre el blue y el oficial es de +2,14 %; hace un mes era de')
  expect(text).toContain(
    'Dólar Blue +2,14 % +10,00 % +10,00 % — −1,00 % 27/02/2026 +30,00 % 10/02/2026',
  )
  expect(text).toContain('Dólar CCL +5,00 % — — — — —')
  expect(page).toContain('href="/usd/blue/2026-02-10"')
  expect(page).toMatch(/data-chart=""[^>]*data-against="usd\/oficial"/)
  expect(page).toMatch(/<noscript><svg class="chart-still"/)
  expect(page).toMatch(/value="anio" checked/)
})

it('chooses the dollars that are sold above the official one', async () => {
  await seedBoard(NOON, { quotes: [aBoardQuote('USD/OFICIAL'), aBoardQuote('USD/BLUE')] })
  await seedCloses('usd/oficial', [[today - 2, 1, 1]])
  await seedCloses('usd/blue', [[today - 2, 1, 1]])
  const page = await (await get()).text()
  const checked = [...page.matchAll(/value="(usd\/\w+)" checked/g)].map(([, key]) => key)
  expect(checked).toEqual(['usd/blue', 'usd/bolsa', 'usd/ccl'])
})

it('says on the first day when there will be a chart', async () => {
  await seedBoard(NOON, { quotes: [aBoardQuote('USD/OFICIAL'), aBoardQuote('USD/BLUE')] })
  const page = await (await get()).text()
  expect(page).toContain('Todavía no hay dos días para comparar')
  expect(page).not.toContain('data-chart')
})
