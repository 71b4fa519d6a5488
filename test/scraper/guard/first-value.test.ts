import { describe, expect, it } from 'vitest'
import { PAIRS, pairKey } from '../../../shared/market/catalog.ts'
import { openDesk, type Says } from '../../support/guard-desk.ts'

/** What each pair was worth in September 2026, roughly. */
const WORTH: Record<string, [number, number]> = {
  'USD/OFICIAL': [1495, 1545],
  'USD/BNA': [1495, 1545],
  'USD/BLUE': [1515, 1535],
  'USD/MAYORISTA': [1515.5, 1524.5],
  'USD/BOLSA': [1554, 1555.6],
  'USD/CCL': [1618.2, 1619.6],
  'USD/CRIPTO': [1590, 1600],
  'USD/TARJETA': [1943.5, 2008.5],
  'USD/FUTURO': [1535, 1537],
  'EUR/OFICIAL': [1717, 1731],
  'EUR/BNA': [1668.6, 1764.7],
  'EUR/BLUE': [1750, 1790],
  'BRL/OFICIAL': [280, 281],
  'BRL/BNA': [268, 282],
  'CLP/OFICIAL': [1.63, 1.64],
  'UYU/OFICIAL': [38, 38.2],
  'ARG/RIESGO': [573, 573],
  'ARG/CER': [854.46, 854.46],
  'ARG/UVA': [2156.59, 2156.59],
}

describe('the first value of a pair', () => {
  it.each(PAIRS.map(pairKey))('%s is published in the first cycle', (pair) => {
    const decision = openDesk(pair).cycle({ first: WORTH[pair]! })
    expect(decision).toMatchObject({ confirmed: true, source: 'first', held: null })
    expect(decision.publish?.source).toBe('first')
  })

  it('asks for a second source, and stands when there is none', () => {
    expect(openDesk('USD/BLUE').cycle({ first: [1515, 1535] })).toMatchObject({
      publish: { source: 'first' },
      needsFallback: true,
    })
    expect(
      openDesk('USD/BLUE').cycle({ first: [1515, 1535], second: [1514, 1534] }).needsFallback,
    ).toBe(false)
  })

  it('comes from the fallback when the first source fails', () => {
    expect(
      openDesk('USD/BLUE').cycle({ first: 'fails', second: [1515, 1535] }).publish?.source,
    ).toBe('second')
  })

  it('is not what no pair can be worth, whoever says it, but for an operator', () => {
    const desk = openDesk('USD/BLUE')
    expect(desk.cycles(300, { first: [1, 1] })).toMatchObject({
      publish: null,
      held: { reason: 'step' },
    })
    const says = { first: [60_000, 61_000], second: [60_100, 61_100] } as Record<string, Says>
    const { held, publish } = desk.cycle(says)
    expect(publish).toBeNull()
    desk.override = { ...held!.candidate, status: 'accepted' }
    expect(desk.cycle(says).publish).not.toBeNull()
  })

  it('is the plausible one of two', () => {
    const decision = openDesk('USD/BLUE').cycle({ first: [151_500, 153_500], second: [1515, 1535] })
    expect(decision.publish?.source).toBe('second')
  })

  it('is the one of three that a second supports', () => {
    const says = { first: [15_150, 15_350], second: [1515, 1535], third: [1518, 1538] } as const
    const { publish } = openDesk('USD/BLUE').cycle({
      first: [...says.first],
      second: [...says.second],
      third: [...says.third],
    })
    expect(publish?.source).toBe('second')
  })

  it('waits for the better part of an hour when two sources contradict each other', () => {
    const desk = openDesk('USD/BLUE')
    const says = {
      first: [1515, 1535] as [number, number],
      second: [1915, 1935] as [number, number],
    }
    expect(desk.cycle(says)).toMatchObject({ publish: null, held: { reason: 'witness' } })
    expect(desk.cyclesUntilPublished(says, 12)).toBe(8)
    expect(desk.sell()).toBe(1535)
  })
})
