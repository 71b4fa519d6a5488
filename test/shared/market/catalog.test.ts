import { expect, it } from 'vitest'
import { findPair, PAIRS, pairKey, pairsOf } from '../../../shared/market/catalog.ts'

it('has the 19 pairs with unique ids', () => {
  expect(PAIRS).toHaveLength(19)
  expect(new Set(PAIRS.map((pair) => pair.id)).size).toBe(19)
})

it.each(['usd/blue', 'USD/BLUE', 'Usd/bLue'])('finds %s in any letter case', (key) => {
  const [currency, origin] = key.split('/') as [string, string]
  expect(pairKey(findPair(currency, origin)!)).toBe('USD/BLUE')
})

it.each([
  ['clp', 'blue'],
  ['uſd', 'blue'],
  ['usd ', 'blue'],
  ['', ''],
  ['__proto__', 'blue'],
])('knows no pair %s/%s', (currency, origin) => {
  expect(findPair(currency, origin)).toBeUndefined()
})

it('lists the pairs of a currency in catalogue order', () => {
  expect(pairsOf('eur')?.map((pair) => pair.origin)).toEqual(['OFICIAL', 'BNA', 'BLUE'])
  expect(pairsOf('xxx')).toBeUndefined()
})
