import { expect, it } from 'vitest'
import { HOUR_MS } from '../../../../shared/argentine-time.ts'
import { numberToPrice } from '../../../../shared/market/price.ts'
import { findSuspicious } from '../../../../tools/operate/import/suspicion.ts'

/** Rows of an hour, `buy/sell`, with `*20` twenty of them. */
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

it.each([
  ['that moves little', '100/102 101/103 112/114', ''],
  ['with a lost digit', '1130/1145 1130/115 1135/1150', '1 power of ten,inverted'],
  ['a hundredfold for some hours', '936/939 93650/93950*3 936/939', '3 power of ten'],
  ['that says 1 for days', '962/992 962/1*200 962/992', '200 0 or 1,inverted'],
  ['with a spike', '1200/1221 1200/1995 1200/1216', '1 jump'],
  ['devalued for good', '365/400 780/820*2 790/830', ''],
  [
    'that jumps twice in one direction, as country risk on 2019-08-12',
    '872/872 1467/1467 1741/1741 1733/1733',
    '',
  ],
  ['that falls in two steps', '1000/1020 800/820 600/620 610/630', ''],
  [
    'whose jump the next value alone confirms',
    '1000/1020 1300/1330 1310/1340 1560/1600 1570/1610',
    '',
  ],
  ['that says a wrong value twice and comes back', '1200/1221 1200/1995*2 1200/1216', '2 jump'],
  ['that inverts', '1148/1150 1148/1118 1149/1151', '1 inverted'],
  ['that begins', '1148/1150', ''],
])('a series %s', (_, text, expected) => {
  const findings = findSuspicious(series(text))
  expect(findings.map(({ faults, rows }) => `${rows} ${faults.join()}`).join('; ')).toBe(expected)
})

it('a series has no baseline after a week of silence', () => {
  const rows = series('100/100 150/150 90/90').map((row, week) => ({
    ...row,
    at: week * 8 * 24 * HOUR_MS,
  }))
  expect(findSuspicious(rows)).toEqual([])
})

it('a finding says from when to when', () => {
  const rows = series('1130/1145 1130/115*2 1135/1150')
  expect(findSuspicious(rows)).toMatchObject([
    { row: rows[1], before: rows[0], until: rows[3]!.at },
  ])
})
