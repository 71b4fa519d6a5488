import { describe, expect, it } from 'vitest'
import type { PairKey } from '../../../shared/market/catalog.ts'
import { openDesk, type Says } from '../../support/guard-desk.ts'

type Level = [buy: number, sell: number]

const TWO_HOURS = 24

/** True moves that the service must not miss. */
const GENUINE: [what: string, pair: PairKey, before: Level, after: Level][] = [
  ['a devaluation of 118 %', 'USD/OFICIAL', [380, 400.5], [780, 820]],
  ['the end of a tax', 'USD/TARJETA', [1609.6, 1673.6], [1308.45, 1360.45]],
  ['a step of 12 %', 'USD/MAYORISTA', [1075, 1078], [1190, 1198]],
  ['a fall of 34 % in country risk', 'ARG/RIESGO', [1081, 1081], [708, 708]],
  ['a rise of 6 %', 'USD/BLUE', [1125, 1145], [1190, 1214]],
]

describe('a genuine move', () => {
  it.each(GENUINE)('%s (%s) passes at once when two sources say it', (_, pair, before, after) => {
    const desk = openDesk(pair, before)
    desk.cycle({ first: before, second: before })
    expect(desk.cycle({ first: after, second: after }).publish?.source).toBe('first')
  })

  it.each(GENUINE)('%s (%s) passes when the second follows later', (_, pair, before, after) => {
    const desk = openDesk(pair, before)
    desk.cycle({ first: before, second: before })
    desk.cycles(10, { first: after, second: before })
    expect(desk.cyclesUntilPublished({ first: after, second: after }, 3)).toBeLessThanOrEqual(3)
    expect(desk.sell()).toBe(after[1])
  })

  it.each(GENUINE)('%s (%s) passes within two hours from one source', (_, pair, before, after) => {
    const desk = openDesk(pair, before)
    desk.cycle({ first: before })

    const cycles = desk.cyclesUntilPublished({ first: after }, 100)
    expect(cycles).toBeGreaterThanOrEqual(9)
    expect(cycles).toBeLessThanOrEqual(TWO_HOURS)
  })

  it('passes in about an hour from one source when it is small', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    expect(desk.cyclesUntilPublished({ first: [1190, 1214] }, 24)).toBe(13)
  })

  it('keeps its count while it is revised', () => {
    const desk = openDesk('USD/OFICIAL', [380, 400.5])
    desk.cycles(10, { first: [780, 820] })
    expect(desk.cyclesUntilPublished({ first: [730, 770] }, 24)).toBe(12)
  })

  it('passes at once when both say it, however far they stand apart that day', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    desk.cycles(12, { first: [1125, 1145], second: [1145, 1165] })
    const decision = desk.cycle({ first: [1181, 1202], second: [1202, 1223] })
    expect(decision.publish?.source).toBe('first')
  })

  it('is held when two that stand apart by definition meet by steps of different size', () => {
    const desk = openDesk('USD/OFICIAL', [1000, 1020])
    desk.cycles(48, { first: [1000, 1020], second: [1030, 1051] })
    const says: Record<string, Says> = { first: [1080, 1102], second: [1081, 1103] }
    expect(desk.cycles(6, says)).toMatchObject({ publish: null, held: { reason: 'witness' } })
  })

  it('passes when the second came there in two readings, the last one a small one', () => {
    const desk = openDesk('USD/OFICIAL', [1000, 1020])
    desk.cycles(48, { first: [1000, 1020], second: [1000, 1020] })
    desk.cycles(2, { first: [1015, 1035], second: [1000, 1020] })
    expect(desk.sell()).toBe(1035)
    desk.cycles(2, { first: [1015, 1035], second: [1060, 1081] })
    desk.cycles(2, { first: [1015, 1035], second: [1061, 1082] })
    expect(desk.cycle({ first: [1076, 1097], second: [1061, 1082] }).publish).not.toBeNull()
  })

  it('passes within two hours from a source that is asked every half hour', () => {
    const desk = openDesk('ARG/RIESGO', [1081, 1081])
    for (let asked = 0; asked < 4; asked += 1) {
      desk.cycle({ first: [708, 708] })
      desk.cycles(5, {})
    }
    expect(desk.sell()).toBe(708)
  })

  it('counts as the same new level although it drifts each cycle', () => {
    const desk = openDesk('USD/OFICIAL', [380, 400.5])
    let cycles = 0
    for (let sell = 820; desk.sell() === 400.5 && cycles < 100; sell += 0.5, cycles += 1) {
      desk.cycle({ first: [sell - 40, sell] })
    }
    expect(cycles).toBeLessThanOrEqual(TWO_HOURS)
  })

  it('passes when two others agree and the source in use says the old value', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    desk.cycle({ first: [1125, 1145], second: [1125, 1145], third: [1125, 1145] })
    const says: Record<string, Says> = {
      first: [1125, 1145],
      second: [1250, 1270],
      third: [1252, 1272],
    }
    expect(desk.cyclesUntilPublished(says, 3)).not.toBeNull()
  })

  it('passes when the second says it while the first has fallen silent', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    desk.cycle({ first: [1250, 1270], second: [1125, 1145] })
    expect(desk.cyclesUntilPublished({ first: 'fails', second: [1252, 1272] }, 3)).not.toBeNull()
  })

  it('is not stopped by a daily reference that still says yesterday’s value', () => {
    const desk = openDesk('USD/MAYORISTA', [1075, 1078])
    desk.cycles(20, { first: [1075, 1078], near: [1076.5] })
    const says: Record<string, Says> = { first: [1190, 1198], near: [1076.5] }
    expect(desk.cyclesUntilPublished(says, TWO_HOURS)).not.toBeNull()
    expect(desk.sell()).toBe(1198)
  })

  it('is seen through a source of another definition, by its known basis', () => {
    const desk = openDesk('USD/OFICIAL', [1000, 1050])
    desk.cycles(20, { first: [1000, 1050], second: [1008, 1010] })
    expect(desk.cycle({ first: [1050, 1102.5], second: [1058.4, 1060.5] }).publish?.source).toBe(
      'first',
    )
  })
})

describe('a jump that no second source supports', () => {
  it('is held and dropped when it goes away', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    expect(desk.cycles(12, { first: [1350, 1374] }).held?.reason).toBe('step')
    expect(desk.cycle({ first: [1126, 1146] })).toMatchObject({
      publish: { buy: 11_260_000 },
      held: null,
    })
  })

  it.each<[what: string, before: number]>([
    ['was heard once', 1],
    ['changed lately', 30],
  ])('waits for more than an hour and a half while one that %s says the old value', (_, before) => {
    const desk = openDesk('USD/BLUE', [1120, 1140])
    desk.cycle({ first: [1120, 1140], second: [1121, 1141] })
    desk.cycles(before, { first: [1125, 1145], second: [1126, 1146] })
    const says: Record<string, Says> = { first: [1240, 1262], second: [1126, 1146] }
    expect(desk.cycles(18, says)).toMatchObject({
      publish: null,
      confirmed: true,
      held: { reason: 'witness' },
    })
  })

  it('is never believed by patience while two live sources say the old value', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    const others: Record<string, Says> = { second: [1126, 1146], third: [1124, 1144] }
    desk.cycles(60, { first: [1125, 1145], ...others })
    expect(desk.cyclesUntilPublished({ first: [1240, 1262], ...others }, 90)).toBeNull()
  })

  it('is the same story though it goes on the same way', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    desk.cycles(6, { first: [1190, 1214] })
    expect(desk.cyclesUntilPublished({ first: [1245, 1270] }, 24)).toBeLessThan(12)
  })

  it('is believed within two hours against a source that stopped long ago', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    for (let step = 1; step <= 40; step += 1) {
      desk.cycles(12, { first: [1125 + step, 1145 + step], second: [1125, 1145] })
    }
    const says: Record<string, Says> = { first: [1240, 1262], second: [1125, 1145] }
    expect(desk.cyclesUntilPublished(says, TWO_HOURS)).not.toBeNull()
  })

  it('is not repeated by a clock that leaps', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    desk.cycle({ first: [1350, 1374] })
    desk.now += 4 * 60 * 60_000
    expect(desk.cyclesUntilPublished({ first: [1350, 1374] }, 10)).toBeNull()
  })

  it('starts to count anew after it went away: two levels in turn are no repetition', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    for (let hour = 0; hour < 12; hour += 1) {
      desk.cycles(12, { first: [1250, 1270] })
      desk.cycle({ first: [1125, 1145] })
    }
    expect(desk.sell()).toBe(1145)
  })

  it('starts to count anew at another level', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    for (let step = 0; step < 12; step += 1) {
      const sell = step % 2 ? 1270 : 1500
      desk.cycles(10, { first: [sell - 20, sell] })
    }
    expect(desk.sell()).toBe(1145)
  })

  it('is not believed by repetition once an operator rejected it', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    const { held } = desk.cycle({ first: [1350, 1374] })
    desk.override = { ...held!.candidate, status: 'rejected' }
    expect(desk.cyclesUntilPublished({ first: [1351, 1375] }, 200)).toBeNull()

    expect(desk.cycle({ first: [1351, 1375], second: [1350, 1372] }).publish).not.toBeNull()
  })

  it('stays held while its source is silent for a few cycles, and is forgotten after an hour', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    desk.cycle({ first: [1350, 1374] })
    expect(desk.cycle({ first: 'fails' }).held?.candidate).toMatchObject({
      source: 'first',
      sell: 13_740_000,
    })
    expect(desk.cycles(15, { first: 'fails' }).held).toBeNull()
  })

  it('needs no second opinion when the last value is older than 7 days (decision 55)', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    desk.now += 8 * 24 * 60 * 60_000
    expect(desk.cycle({ first: [1350, 1374] }).publish).not.toBeNull()

    const graver = openDesk('USD/BLUE', [1125, 1145])
    graver.now += 8 * 24 * 60 * 60_000
    expect(graver.cycle({ first: [11_250, 11_450] }).publish).toBeNull()
  })
})

describe('the usual range', () => {
  it.each<[PairKey, Level, Level]>([
    ['USD/OFICIAL', [1000, 1050], [1020, 1071]],
    ['USD/CCL', [1260, 1262], [1295, 1300]],
    ['USD/CCL', [1127.9, 1130], [1127.9, 1110]],
    ['ARG/RIESGO', [700, 700], [735, 735]],
  ])('%s from %s to %s is published at once', (pair, before, after) => {
    expect(openDesk(pair, before).cycle({ first: after }).publish).not.toBeNull()
  })

  it.each<[PairKey, Level, Level, string]>([
    ['USD/OFICIAL', [1000, 1050], [1000, 1092], 'step'],
    ['USD/OFICIAL', [1000, 1050], [1080, 1050], 'form'],
    ['USD/OFICIAL', [845, 885], [885, 885], 'form'],
    ['USD/TARJETA', [1943.5, 2008.5], [2008.5, 2008.5], 'form'],
    ['USD/BNA', [1000, 1080], [1070, 1080], 'step'],
    ['USD/CCL', [1260, 1262], [1320, 1336], 'step'],
    ['ARG/RIESGO', [700, 700], [900, 900], 'step'],
    ['USD/BLUE', [1125, 1145], [1050, 1150], 'step'],
    ['USD/BLUE', [1205, 1235], [1285, 1215], 'form'],
  ])('%s from %s to %s is held (%s)', (pair, before, after, reason) => {
    expect(openDesk(pair, before).cycle({ first: after }).held?.reason).toBe(reason)
  })

  it.each([
    ['after a night', 16, [1205, 1208]],
    ['after a weekend', 67, [1225, 1228]],
  ] as const)('is wider %s: the market opens where it opens', (_, hours, [buy, sell]) => {
    const desk = openDesk('USD/BOLSA', [1171, 1174])
    desk.current!.lastScrapedAt -= hours * 60 * 60_000
    expect(desk.cycle({ first: [buy, sell] }).publish).not.toBeNull()
  })

  it('is no wider because the value has stood for long while it was looked at', () => {
    const desk = openDesk('USD/BOLSA', [1171, 1174])
    desk.current!.updatedAt -= 67 * 60 * 60_000
    expect(desk.cycle({ first: [1225, 1228] }).held?.reason).toBe('step')
  })

  it('does not hold the next value of a spread that is already in effect', () => {
    const desk = openDesk('USD/BLUE', [1050, 1150])
    expect(desk.cycle({ first: [1052, 1152] }).publish).not.toBeNull()
  })
})

describe('values equal or nearly equal to the one in effect', () => {
  it('confirm it', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    const decision = desk.cycle({ first: [1125, 1145] })
    expect(decision).toMatchObject({
      publish: null,
      confirmed: true,
      held: null,
      needsFallback: false,
    })
  })

  it('are no change of the cripto dollar under 0.05 % (decision 51)', () => {
    const desk = openDesk('USD/CRIPTO', [1400, 1410])
    expect(desk.cycle({ first: [1400.6, 1410.6] })).toMatchObject({
      publish: null,
      confirmed: true,
    })
    expect(desk.cycle({ first: [1400.6, 1410.8] }).publish).not.toBeNull()
  })

  it('are a change when only buy moved', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    expect(desk.cycle({ first: [1125.5, 1145] }).publish).toMatchObject({ buy: 11_255_000 })
  })
})
