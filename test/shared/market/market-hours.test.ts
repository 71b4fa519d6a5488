import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { findPairByKey, PAIRS } from '../../../shared/market/catalog.ts'
import { isFresh, pairRhythm } from '../../../shared/market/market-hours.ts'
import { isDoubtful, isOpen } from '../../../workers/scraper/collect/hours.ts'
import { art } from '../../support/instant.ts'

/** On a Wednesday. */
const [tableDay, tradedDay] = ['2026-03-04', '2026-03-04']
const live = { everySource: false, tableDay: null }

describe('on a day that only the list closes', () => {
  const row = { name: 'Feriado', isHoliday: true, exchanges: false }
  const wrong = { day: '2026-03-04', ...row }
  const bridge = { ...wrong, isHoliday: false, exchanges: true }

  it.each([
    ['banks', 'USD/BNA', '11:30', [wrong], {}, { open: false, doubtful: true, fresh: false }],
    ['bonds', 'USD/BOLSA', '11:30', [wrong], {}, { open: false, doubtful: true, fresh: false }],
    ['futures', 'USD/FUTURO', '10:30', [wrong], {}, { open: false, doubtful: true, fresh: false }],
    ['bonds in the evening', 'USD/CCL', '20:00', [wrong], {}, { doubtful: false, fresh: false }],
    ['bonds before they open', 'USD/CCL', '09:00', [wrong], {}, { doubtful: false, fresh: true }],
    ['banks that printed a table', 'USD/BNA', '11:30', [wrong], { tableDay }, { open: true }],
    ['bonds then', 'USD/CCL', '11:30', [wrong], { tableDay }, { open: true, fresh: true }],
    ['bonds that moved', 'USD/CCL', '11:30', [wrong], { tradedDay }, { open: true, fresh: true }],
    ['banks once bonds moved', 'USD/BNA', '11:30', [wrong], { tradedDay }, { open: true }],
    ['bonds, if only banks close', 'USD/CCL', '11:30', [bridge], {}, { open: true, fresh: true }],
    ['banks, if bonds trade by it', 'USD/BNA', '11:30', [bridge], { tradedDay }, { open: false }],
    ['what never closes', 'USD/CRIPTO', '11:30', [wrong], {}, { open: true, fresh: true }],
  ])('%s: %s at %s', (_, key, time, decreed, known, expected) => {
    const now = art(`2026-03-04 ${time}`)
    const { hours } = pairRhythm(findPairByKey(key)!)
    const days = { decreed, ...known }
    expect({
      open: isOpen(hours, now, days),
      doubtful: isDoubtful(hours, now, days),
      // A confirmation in the last minute proves nothing while the day is in doubt.
      fresh: isFresh(findPairByKey(key)!, now - MINUTE_MS, now, { everySource: false, ...days }),
    }).toMatchObject(expected)
  })

  it('a confirmation of the next session counts', () => {
    const seen = { everySource: false, decreed: [wrong] }
    const pair = findPairByKey('USD/BOLSA')!
    expect(isFresh(pair, art('2026-03-04 17:00'), art('2026-03-05 11:00'), seen)).toBe(false)
    expect(isFresh(pair, art('2026-03-05 11:00'), art('2026-03-05 11:10'), seen)).toBe(true)
  })
})

describe('isFresh', () => {
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
  ])('%s %s', (key, _, lastScrapedAt, now, expected) => {
    expect(isFresh(findPairByKey(key)!, art(lastScrapedAt), art(now), live)).toBe(expected)
  })

  it.each([
    ['USD/BNA', '2026-11-23', '2026-11-23 11:45', true],
    ['USD/BNA', '2026-11-23', '2026-11-23 11:44', false],
    ['USD/BNA', '2026-11-20', '2026-11-20 18:55', true],
    ['USD/OFICIAL', '2026-11-23', '2026-11-20 19:55', false],
    ['USD/BOLSA', '2026-11-23', '2026-11-20 17:29', true],
  ])('%s with a table of %s, confirmed at %s: %s', (key, tableDay, confirmed, expected) => {
    const seen = { everySource: false, tableDay }
    const holiday = art('2026-11-23 12:00')
    expect(isFresh(findPairByKey(key)!, art(confirmed), holiday, seen)).toBe(expected)
  })

  it('never turns fresh by the passing of time', () => {
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
})
