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
    expect(cycles).toBeGreaterThanOrEqual(12)
    expect(cycles).toBeLessThanOrEqual(TWO_HOURS)
  })

  it('passes within an hour from one source when it is smaller than twice the usual', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    expect(desk.cyclesUntilPublished({ first: [1190, 1214] }, 24)).toBe(12)
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

  it('passes within two hours from a source that is asked every half hour', () => {
    const desk = openDesk('ARG/RIESGO', [1081, 1081])
    for (let asked = 0; asked < 4; asked += 1) {
      desk.cycle({ first: [708, 708] })
      desk.cycles(5, {})
    }
    expect(desk.cycle({ first: [708, 708] }).publish).not.toBeNull()
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
    expect(desk.cyclesUntilPublished({ first: 'fails', second: [1252, 1272] }, 3)).toBe(2)
  })

  it('is not stopped by a daily reference that still says yesterday’s value', () => {
    const desk = openDesk('USD/MAYORISTA', [1075, 1078])
    desk.cycles(20, { first: [1075, 1078], near: [1076.5, 1076.5] })
    const says: Record<string, Says> = { first: [1190, 1198], near: [1076.5, 1076.5] }
    expect(desk.cyclesUntilPublished(says, TWO_HOURS)).not.toBeNull()
    expect(desk.sell()).toBe(1198)
  })

  it('is seen through a source of another definition, by its known basis', () => {
    const desk = openDesk('USD/OFICIAL', [1000, 1050])
    desk.cycles(20, { first: [1000, 1050], second: [1010, 1008] })
    expect(desk.cycle({ first: [1050, 1102.5], second: [1060, 1058.4] }).publish?.source).toBe(
      'first',
    )
  })
})

describe('a jump that no second source supports', () => {
  it('is held and dropped when it goes away', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    expect(desk.cycles(12, { first: [1350, 1374] }).held?.reason).toBe('jump')
    expect(desk.cycle({ first: [1126, 1146] })).toMatchObject({
      publish: { buy: 11_260_000 },
      held: null,
    })
  })

  it('waits for its full time while an independent live source says the old value', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    const says: Record<string, Says> = { first: [1190, 1210], second: [1126, 1146] }
    expect(desk.cyclesUntilPublished(says, TWO_HOURS)).toBe(22)
  })

  it('waits as long while the old value is said by a source that stood still for long', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    desk.cycle({ first: [1120, 1140], second: [1121, 1141] })
    desk.cycles(200, { first: [1125, 1145], second: [1126, 1146] })
    const says: Record<string, Says> = { first: [1190, 1214], second: [1126, 1146] }
    expect(desk.cyclesUntilPublished(says, TWO_HOURS)).toBe(22)
  })

  it('waits for four hours when it is large besides, and is reported as held for as long', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    const says: Record<string, Says> = { first: [1240, 1262], second: [1126, 1146] }
    expect(desk.cycles(47, says)).toMatchObject({
      publish: null,
      confirmed: true,
      held: { reason: 'jump' },
    })
    expect(desk.cycle(says).publish).toMatchObject({ source: 'first' })
  })

  it('waits as long when the other source stood still since before the weekend', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    desk.cycle({ first: [1120, 1140], second: [1121, 1141] })
    desk.cycles(200, { first: [1125, 1145], second: [1126, 1146] })
    const says: Record<string, Says> = { first: [1240, 1262], second: [1126, 1146] }
    expect(desk.cyclesUntilPublished(says, 60)).toBe(48)
  })

  it('is small when it began so, though it goes on the same way', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    desk.cycles(6, { first: [1190, 1214] })
    expect(desk.cyclesUntilPublished({ first: [1245, 1270] }, 24)).toBe(6)
  })

  it('is believed against a source that stood still for longer than any weekend', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    desk.cycle({ first: [1125, 1145], second: [1125, 1145] })
    desk.now += 6 * 24 * 60 * 60_000
    desk.cycle({ first: [1125, 1145], second: [1125, 1145] })
    const says: Record<string, Says> = { first: [1350, 1374], second: [1125, 1145] }
    expect(desk.cyclesUntilPublished(says, TWO_HOURS)).not.toBeNull()
  })

  it('is not repeated by a clock that leaps', () => {
    const desk = openDesk('USD/BLUE', [1125, 1145])
    desk.cycle({ first: [1350, 1374] })
    desk.now += 5 * 24 * 60 * 60_000
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
    desk.override = { ...held!.candidate, verdict: 'rejected' }
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
    ['USD/OFICIAL', [1000, 1050], [1025, 1078]],
    ['USD/OFICIAL', [845, 885], [885, 885]],
    ['USD/CCL', [1260, 1262], [1310, 1318]],
    ['USD/CCL', [1127.9, 1130], [1127.9, 1099.4]],
    ['ARG/RIESGO', [700, 700], [790, 790]],
    ['USD/BLUE', [1125, 1145], [1150, 1150]],
  ])('%s from %s to %s is published at once', (pair, before, after) => {
    expect(openDesk(pair, before).cycle({ first: after }).publish).not.toBeNull()
  })

  it.each<[PairKey, Level, Level, string]>([
    ['USD/OFICIAL', [1000, 1050], [1000, 1092], 'jump'],
    ['USD/OFICIAL', [1000, 1050], [1080, 1050], 'inverted'],
    ['USD/BNA', [1000, 1080], [1070, 1080], 'jump'],
    ['USD/CCL', [1260, 1262], [1320, 1336], 'jump'],
    ['ARG/RIESGO', [700, 700], [850, 850], 'jump'],
    ['USD/BLUE', [1125, 1145], [1050, 1150], 'wide-spread'],
    ['USD/BLUE', [1205, 1235], [1285, 1215], 'inverted'],
  ])('%s from %s to %s is held (%s)', (pair, before, after, reason) => {
    expect(openDesk(pair, before).cycle({ first: after }).held?.reason).toBe(reason)
  })

  it('is wider after a night: the market opens where it opens', () => {
    const desk = openDesk('USD/BOLSA', [1171, 1174])
    desk.current!.lastScrapedAt -= 16 * 60 * 60_000
    expect(desk.cycle({ first: [1230, 1233] }).publish).not.toBeNull()
  })

  it('is widest after a weekend', () => {
    const desk = openDesk('USD/BOLSA', [1171, 1174])
    desk.current!.lastScrapedAt -= 67 * 60 * 60_000
    expect(desk.cycle({ first: [1252, 1255] }).publish).not.toBeNull()
  })

  it('is no wider because the value has stood for long while it was looked at', () => {
    const desk = openDesk('USD/BOLSA', [1171, 1174])
    desk.current!.updatedAt -= 67 * 60 * 60_000
    expect(desk.cycle({ first: [1230, 1233] }).held?.reason).toBe('jump')
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
