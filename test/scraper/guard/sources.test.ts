import { describe, expect, it } from 'vitest'
import { speakerOf } from '../../../workers/scraper/guard/guard.ts'
import { openDesk, type Says } from '../../support/guard-desk.ts'

const BLUE: [number, number] = [1125, 1145]

describe('the source in use', () => {
  it('stays although another one stands apart', () => {
    const desk = openDesk('USD/BLUE', BLUE)
    const decision = desk.cycles(100, { first: BLUE, second: [1130, 1150] })
    expect(decision).toMatchObject({ publish: null, confirmed: true, source: 'first' })
    expect(desk.sell()).toBe(1145)
  })

  it('is not replaced for a failure or two; another one confirms the value meanwhile, and is named', () => {
    const desk = openDesk('USD/BLUE', BLUE)
    desk.cycle({ first: BLUE, second: [1127, 1147] })
    const decision = desk.cycles(2, { first: 'fails', second: [1127, 1147] })
    expect(decision).toMatchObject({
      publish: null,
      confirmed: true,
      source: 'second',
      needsFallback: true,
    })
    expect(speakerOf(desk.memory)).toBe('first')
    expect(desk.cycle({ first: BLUE }).source).toBe('first')
  })

  it('is replaced after three failed cycles, and that alone is no change', () => {
    const desk = openDesk('USD/BLUE', BLUE)
    desk.cycles(20, { first: BLUE, second: [1128, 1148] })
    const decision = desk.cycles(3, { first: 'fails', second: [1128, 1148] })
    expect(decision).toMatchObject({ publish: null, confirmed: true, source: 'second' })
  })

  it('changes the value once the replacement moves', () => {
    const desk = openDesk('USD/BLUE', BLUE)
    desk.cycles(20, { first: BLUE, second: [1128, 1148] })
    desk.cycles(3, { first: 'fails', second: [1128, 1148] })
    expect(desk.cycle({ first: 'fails', second: [1130, 1150] }).publish?.source).toBe('second')
  })

  it('changes the value for a source of another definition only when that clearly moved', () => {
    const desk = openDesk('USD/OFICIAL', [1495, 1545])
    desk.cycles(4, { first: 'fails', near: [1540] })
    expect(desk.cycle({ first: 'fails', near: [1542] })).toMatchObject({
      publish: null,
      confirmed: true,
    })
    expect(desk.cycle({ first: 'fails', near: [1570] }).publish?.source).toBe('near')
  })

  it('returns at once when it is heard again', () => {
    const desk = openDesk('USD/BLUE', BLUE)
    expect(desk.cycles(3, { first: 'fails', second: BLUE }).source).toBe('second')
    expect(desk.cycle({ first: BLUE, second: BLUE })).toMatchObject({
      publish: null,
      source: 'first',
    })
  })

  it('returns without a change when it stands where it usually stands from the other', () => {
    const desk = openDesk('USD/OFICIAL', [1495, 1545])
    desk.cycles(20, { first: [1495, 1545], second: [1530, 1580] })
    desk.cycles(4, { first: 'fails', second: [1530, 1580] })
    desk.cycles(110, { first: 'fails', second: [1532, 1582] })
    const published = desk.cyclesUntilPublished({ first: [1497, 1547], second: [1532, 1582] }, 12)
    expect(desk.memory!.speaker!.name).toBe('first')
    expect(published).toBeNull()
  })

  it('loses its turn after a quarter of an hour in which only others were asked', () => {
    const desk = openDesk('USD/BLUE', BLUE)
    desk.cycle({ first: BLUE })
    desk.cycles(2, { second: BLUE })
    expect(speakerOf(desk.memory)).toBe('first')
    desk.cycle({ second: BLUE })
    expect(speakerOf(desk.memory)).toBe('second')
  })

  it('keeps everything as it is in a cycle in which nothing was asked', () => {
    const desk = openDesk('USD/BLUE', BLUE)
    desk.cycle({ first: [1350, 1374] })
    const { memory } = desk
    expect(desk.cycle({})).toEqual({
      publish: null,
      confirmed: false,
      held: {
        candidate: expect.objectContaining({ sell: 13_740_000 }),
        reason: 'step',
        ballot: null,
      },
      source: null,
      needsFallback: false,
      memory,
    })
  })

  it('takes its turn back when a second source shows that its doubted value was right', () => {
    const desk = openDesk('USD/BLUE', BLUE)
    const after: Says = [1250, 1270]
    expect(desk.cycles(6, { first: after, second: BLUE })).toMatchObject({ source: 'second' })
    const decision = desk.cycle({ first: after, second: [1252, 1272] })
    expect(decision).toMatchObject({ source: 'first', publish: { source: 'first' } })
  })
})

describe('the basis of a source', () => {
  it('is a matter of definition, never of magnitude: ten times as much confirms nothing', () => {
    const desk = openDesk('USD/BLUE', BLUE)
    desk.cycles(30, { first: BLUE, second: [11_250, 11_450] })
    const decision = desk.cycles(5, { first: 'fails', second: [11_250, 11_450] })
    expect(decision).toMatchObject({ publish: null, confirmed: false, source: null })
  })

  it('does not keep a single number from confirming a sell beside its own buy', () => {
    const desk = openDesk('USD/OFICIAL', [1000, 1050])
    expect(desk.cycle({ first: [1120, 1176], near: [1176] }).publish?.source).toBe('first')
  })
})

describe('a quote that is too wide', () => {
  it('is not confirmed by a single number that agrees with one of its sides', () => {
    const desk = openDesk('USD/CCL', [1167, 1169])
    desk.cycle({ first: [1167, 1169], second: [1168] })
    const decision = desk.cycle({ first: [1028.5, 1199], second: [1198] })
    expect(decision.publish?.source).not.toBe('first')
    expect(decision.held?.candidate.source).toBe('first')
  })
})

describe('a frozen source', () => {
  it('loses its turn when another one moved away step by step', () => {
    const desk = openDesk('USD/CRIPTO', [1400, 1410])
    for (let hour = 0; hour < 12; hour += 1) {
      const sell = 1410 + 4 * hour
      desk.cycles(6, { first: [1400, 1410], second: [sell - 10, sell] })
    }
    expect(desk.memory!.speaker!.name).toBe('second')
    expect(desk.sell()).toBe(1454)
  })

  it('gets it back once it moves again', () => {
    const desk = openDesk('USD/CRIPTO', [1400, 1410])
    for (let sell = 1410; sell < 1458; sell += 4) {
      desk.cycles(6, { first: [1400, 1410], second: [sell - 10, sell] })
    }
    desk.cycles(5, { first: [1440, 1452], second: [1444, 1454] })
    expect(desk.memory!.speaker!.name).toBe('first')
  })

  it('is none at night, when nobody moves', () => {
    const desk = openDesk('USD/BLUE', BLUE)
    expect(desk.cycles(12 * 60, { first: BLUE, second: [1128, 1148] }).source).toBe('first')
  })

  it('is none when the other wavers around the same level', () => {
    const desk = openDesk('USD/BLUE', BLUE)
    for (let turn = 0; turn < 40; turn += 1) {
      desk.cycles(3, { first: BLUE, second: turn % 2 ? [1128, 1148] : [1124, 1144] })
    }
    expect(desk.memory!.speaker!.name).toBe('first')
  })

  it('is none because of a jump of the other: that may be the other’s fault', () => {
    const desk = openDesk('USD/BLUE', BLUE)
    desk.cycles(12, { first: BLUE, second: BLUE })
    desk.cycles(18, { first: [1500, 1520], second: BLUE })
    expect(desk.sell()).toBe(1145)
    expect(desk.memory!.speaker!.name).toBe('second')
  })

  it('is left behind, not held', () => {
    const desk = openDesk('USD/CRIPTO', [1400, 1410])
    for (let sell = 1410; sell < 1610; sell += 4) {
      const { held } = desk.cycles(6, { first: [1400, 1410], second: [sell - 10, sell] })
      expect(held).toBeNull()
    }
  })

  it('does not stand against a jump of the others', () => {
    const desk = openDesk('USD/CRIPTO', [1400, 1410])
    for (let sell = 1410; sell < 1470; sell += 4) {
      desk.cycles(6, { second: [1400, 1410], first: [sell - 10, sell] })
    }
    const jump: Says = [1740, 1760]
    expect(desk.cyclesUntilPublished({ first: jump, second: [1400, 1410] }, 24)).not.toBeNull()
  })
})
