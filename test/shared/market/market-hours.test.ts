import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { findPairByKey, PAIRS } from '../../../shared/market/catalog.ts'
import { isFresh } from '../../../shared/market/market-hours.ts'
import { art } from '../../support/instant.ts'

const live = { everySource: false, tableDay: null }

it.each([
  ['USD/BNA', '15 minutes ago', '2026-03-04 11:45', '2026-03-04 12:00', true],
  ['USD/BNA', 'over 15 minutes', '2026-03-04 11:44:59.999', '2026-03-04 12:00', false],
  ['USD/BNA', '16 min before the close', '2026-03-04 18:44', '2026-03-05 03:00', false],
  ['USD/BNA', 'Friday, on a holiday', '2026-11-20 18:55', '2026-11-23 12:00', true],
  ['USD/BNA', 'Friday, on Tuesday 9:09', '2026-11-20 18:55', '2026-11-24 09:09', true],
  ['USD/BNA', 'Friday, on Tuesday 9:11', '2026-11-20 18:55', '2026-11-24 09:11', false],
  ['USD/BNA', 'at night', '2026-03-05 02:00', '2026-03-05 09:15', true],
  ['USD/BOLSA', 'before a bridge day', '2026-07-08 17:28', '2026-07-10 12:00', false],
  ['USD/BNA', 'before a bridge day', '2026-07-08 18:58', '2026-07-10 12:00', true],
  ['USD/BOLSA', 'Friday, on a decreed day', '2026-11-06 17:29', '2026-11-09 12:00', true],
  ['USD/CRIPTO', '16 minutes on a Sunday', '2026-03-08 02:44', '2026-03-08 03:00', false],
  ['ARG/RIESGO', 'half an hour', '2026-03-04 11:30', '2026-03-04 12:00', true],
  ['ARG/RIESGO', '31 minutes ago', '2026-03-04 11:29', '2026-03-04 12:00', false],
  ['ARG/CER', 'at 9, in the afternoon', '2026-03-04 09:00', '2026-03-04 14:10', true],
  ['ARG/CER', 'at 9, later', '2026-03-04 09:00', '2026-03-04 14:16', false],
  ['ARG/UVA', 'yesterday evening, later', '2026-03-04 19:40', '2026-03-05 02:00', false],
  ['USD/BLUE', 'a year ago', '2025-03-04 12:00', '2026-03-08 12:00', false],
])('whether a value is fresh: %s %s', (key, _, lastScrapedAt, now, expected) => {
  expect(isFresh(findPairByKey(key)!, art(lastScrapedAt), art(now), live)).toBe(expected)
})

it('a stale value never turns fresh by the passing of time', () => {
  const pair = fc.constantFrom(...PAIRS)
  const start = art('2026-11-18 00:00')
  const minutes = fc.nat(7 * 24 * 60)
  fc.assert(
    fc.property(pair, minutes, minutes, minutes, (pair, confirmed, wait, more) => {
      const at = start + confirmed * MINUTE_MS
      const first = isFresh(pair, at, at + wait * MINUTE_MS, live)
      const later = isFresh(pair, at, at + (wait + more) * MINUTE_MS, live)
      expect(first || !later).toBe(true)
      expect(isFresh(pair, at, at, live)).toBe(true)
    }),
  )
})
