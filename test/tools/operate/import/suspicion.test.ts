import { expect, it } from 'vitest'
import { HOUR_MS } from '../../../../shared/argentine-time.ts'
import { type QuotedPoint, numberToPrice, priceToNumber } from '../../../../shared/market/price.ts'
import { findSuspicious } from '../../../../tools/operate/import/suspicion.ts'

/** Hourly rows, `buy/sell`; `*20` repeats a row twenty times. */
function series(text: string) {
  const values = text.split(' ').flatMap((word) => {
    const [sides, times = 1] = word.split('*')
    return Array<string>(Number(times)).fill(sides!)
  })
  return values.map((sides, hour) => {
    const [buy, sell] = sides.split('/').map((side) => numberToPrice(Number(side)))
    return { at: hour * HOUR_MS, buy: buy!, sell: sell! }
  })
}

const sides = ({ buy, sell }: QuotedPoint) => [buy, sell].map(priceToNumber).join('/')

it.each([
  ['that moves little', '100/102 101/103 112/114', ''],
  ['with a lost digit', '1130/1145 1130/115 1135/1150', '1130/115 in 1'],
  [
    'a hundredfold for some hours',
    '936/939 93650/93950*3 93700/93990 936/939',
    '93650/93950 in 3, 93700/93990 in 1',
  ],
  ['that ends far away', '1200/1221 1200/1995', '1200/1995 in 1'],
  ['devalued for good', '365/400 780/820*2 790/830', ''],
  ['that inverts', '1148/1150 1148/1118 1149/1151', '1148/1118 in 1'],
])('a series %s', (_, text, expected) => {
  const findings = findSuspicious(series(text))
  expect(findings.map(({ row, rows }) => `${sides(row)} in ${rows}`).join(', ')).toBe(expected)
})

it('a value near which other values stay for two weeks is not suspicious', () => {
  const rows = series('100/100 150/150 155/155 101/101 102/102').map((row, step) => ({
    ...row,
    at: step * 15 * 24 * HOUR_MS,
  }))
  expect(findSuspicious(rows)).toEqual([])
})
