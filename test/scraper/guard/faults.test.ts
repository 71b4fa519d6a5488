import { describe, expect, it } from 'vitest'
import type { PairKey } from '../../../shared/market/catalog.ts'
import { openDesk } from '../../support/guard-desk.ts'

type Level = [buy: number, sell: number]

/** The shapes of real faults, in small numbers of our own. */
const GRAVE: [what: string, pair: PairKey, before: Level, fault: Level, reason: string][] = [
  ['loses a digit of sell', 'USD/BLUE', [1125, 1145], [1130, 115], 'form'],
  ['gains two digits in sell', 'USD/MAYORISTA', [849.5, 852.5], [850, 85_300], 'form'],
  ['mistypes sell', 'USD/MAYORISTA', [1025.5, 1028.5], [1026.5, 12_950], 'form'],
  ['says 1 for sell', 'USD/MAYORISTA', [936.5, 939.5], [962.57, 1], 'form'],
  ['says 1 for both', 'EUR/OFICIAL', [998.4, 999.3], [1, 1], 'form'],
  ['says 1 where the pair is worth 1.4', 'CLP/OFICIAL', [1.4, 1.41], [1, 1], 'form'],
  ['loses the decimal mark', 'USD/BOLSA', [1283.5, 1289.4], [128_350, 128_940], 'form'],
  ['shifts by ten', 'BRL/OFICIAL', [170, 171], [1700, 1710], 'step'],
  ['shifts by a tenth', 'UYU/OFICIAL', [33, 34], [3.3, 3.4], 'step'],
  ['shifts by ten, roughly', 'USD/CRIPTO', [1294, 1299], [16_300, 16_400], 'step'],
  ['prints another coin for sell', 'USD/CRIPTO', [1218, 1221.5], [1219, 1995.45], 'form'],
]

/** A week of cycles takes a while on a busy machine. */
const PATIENT = { timeout: 60_000 }

describe('a source that makes a grave fault', PATIENT, () => {
  it.each(GRAVE)('%s (%s): held, however often it repeats', (_, pair, before, fault, reason) => {
    const desk = openDesk(pair, before)
    expect(desk.cyclesUntilPublished({ first: fault }, 12 * 24)).toBeNull()
    expect(desk.cycle({ first: fault }).held).toMatchObject({
      reason,
      candidate: { source: 'first' },
    })
    expect(desk.sell()).toBe(before[1])
  })

  it.each(GRAVE)('%s (%s): repeated by its twin of the same origin', (_, pair, before, fault) => {
    const desk = openDesk(pair, before)
    desk.cycle({ first: before, twin: before })

    expect(desk.cyclesUntilPublished({ first: fault, twin: fault }, 12 * 24)).toBeNull()
  })

  it.each(GRAVE)('%s (%s): the fault goes, and nothing was published', (_, pair, before, fault) => {
    const desk = openDesk(pair, before)
    desk.cycles(12, { first: fault })

    expect(desk.cycle({ first: before })).toMatchObject({
      publish: null,
      confirmed: true,
      held: null,
    })
  })

  it('keeps lastScrapedAt still while it stands alone', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    expect(desk.cycle({ first: [112_500, 114_500] })).toMatchObject({
      confirmed: false,
      needsFallback: true,
    })
  })

  it('lets another source confirm the value in effect meanwhile (decision 55)', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    const decision = desk.cycle({ first: [112_500, 114_500], second: [1125, 1145] })
    expect(decision).toMatchObject({
      publish: null,
      confirmed: true,
      held: { reason: 'form' },
    })
  })

  it('leaves the pair to the second source, whose moves are published', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    desk.cycles(3, { first: [112_500, 114_500], second: [1125, 1145] })

    expect(desk.cycle({ first: [112_500, 114_500], second: [1130, 1150] })).toMatchObject({
      publish: { source: 'second' },
      held: { candidate: { source: 'first' } },
    })
  })
})

describe('an order of magnitude', () => {
  it('is believed within two hours when an independent source says it too', () => {
    const desk = openDesk('CLP/OFICIAL', [1.4, 1.41])
    desk.cycles(4, { first: [1.4, 1.41], second: [1.4, 1.41] })
    const says: Record<string, Level> = { first: [14, 14.1], second: [13.98, 14.12] }
    expect(desk.cyclesUntilPublished(says, 24)).not.toBeNull()
  })

  it('is believed when an operator overrides the guard', () => {
    const desk = openDesk('CLP/OFICIAL', [1.4, 1.41])
    const { held } = desk.cycle({ first: [140, 141] })
    desk.override = { ...held!.candidate, status: 'accepted' }

    expect(desk.cycle({ first: [140.5, 141.5] }).publish).toMatchObject({ buy: 1_405_000 })
  })

  it('gives way to a unit that can be right, from one that cannot', () => {
    const desk = openDesk('CLP/OFICIAL', [100.57, 100.71])
    expect(desk.cycle({ first: [1.0119, 1.012] }).publish).not.toBeNull()
  })
})

describe('an absurd spread', () => {
  it('is not believed from two sources, which copied it from one another', () => {
    const desk = openDesk('USD/MAYORISTA', [1025.5, 1028.5])
    const fault: Level = [1026.5, 12_950]
    expect(desk.cyclesUntilPublished({ first: fault, second: fault }, 300)).toBeNull()
  })

  it('is believed when an operator overrides the guard', () => {
    const desk = openDesk('USD/MAYORISTA', [1025.5, 1028.5])
    const { held } = desk.cycle({ first: [700, 1100] })
    desk.override = { ...held!.candidate, status: 'accepted' }

    expect(desk.cycle({ first: [700, 1100] }).publish).not.toBeNull()
  })

  it('is none for the card dollar, taxed on one side', () => {
    const desk = openDesk('USD/TARJETA', [1475, 1976])
    expect(desk.cycle({ first: [1480, 1982.5] }).publish).not.toBeNull()
  })
})

describe('zeros, negatives, broken numbers and thousands of millions', () => {
  it.each([
    [0, 1100],
    [1090, 0],
    [-1090, 1100],
    [Number.NaN, 1100],
    [1090, Number.POSITIVE_INFINITY],
    [1090, 1e9],
    [1e11, 1e11],
  ])('%s/%s is a failure of its source: neither published nor kept', (buy, sell) => {
    const desk = openDesk('USD/BLUE', [1090, 1100])
    expect(desk.cycles(30, { first: [buy, sell] })).toMatchObject({
      publish: null,
      confirmed: false,
      held: null,
    })

    desk.override = { buy: buy * 10_000, sell: sell * 10_000, status: 'accepted' }
    expect(desk.cycle({ first: [buy, sell], second: [buy, sell] }).publish).toBeNull()
  })
})
