import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../../shared/argentine-time.ts'
import { findPairByKey, type PairKey } from '../../../../shared/market/catalog.ts'
import { ALWAYS, BNA_HOURS } from '../../../../shared/market/market-hours.ts'
import { sourcesOf } from '../../../../workers/scraper/pairs/pair-sources.ts'
import {
  askedOf,
  CYCLE_MS,
  timetableOf,
  timetables,
} from '../../../../tools/prove/replay/timetable.ts'
import { readBy, sourcesOfFiles } from '../../../../tools/prove/replay/sources.ts'
import { Figures } from '../../../../tools/prove/replay/figures.ts'
import type { CleanResult, TrialResult } from '../../../../tools/prove/replay/inject.ts'
import { GROSS, MILD, reachedTargets } from '../../../../tools/prove/replay/targets.ts'
import { KINDS } from '../../../../tools/prove/replay/kinds.ts'
import type { Observation, Series } from '../../../../tools/prove/replay/series.ts'
import { simulate, simulateMarket } from '../../../../tools/prove/replay/simulate.ts'

const BLUE = findPairByKey('USD/BLUE')!
/** A Monday, at the opening of the quotes. */
const START = Date.parse('2026-03-02T12:00:00Z')

describe('a recorded file', () => {
  it('is the first source, then one of another provenance', () => {
    for (const key of ['USD/BLUE', 'USD/OFICIAL', 'USD/BOLSA', 'USD/MAYORISTA'] as const) {
      const [first] = sourcesOf(findPairByKey(key)!)
      const [a, b] = sourcesOfFiles(findPairByKey(key)!, [fileOf('a'), fileOf('b')])
      expect(a).toMatchObject({ name: 'a', provenance: first!.provenance })
      expect(b!.name).toBe('b')
      expect(b!.provenance).not.toBe(first!.provenance)
      expect(b!.rhythm!.everyMinutes).toBe(5)
    }
    const oficial = sourcesOfFiles(findPairByKey('USD/OFICIAL')!, [fileOf('a'), fileOf('b')])
    expect(oficial.map(({ sameDefinition }) => sameDefinition)).toEqual([true, false])
  })
})

describe('a timetable', () => {
  it('asks once at the start, and then at its interval in its hours', () => {
    const night = START - 9 * HOUR_MS
    const rhythm = { everyMinutes: 15, hours: BNA_HOURS }
    const { isAsked } = timetableOf(rhythm, night, START + 24 * HOUR_MS)
    const asked: number[] = []
    for (let now = night; now < START + 24 * HOUR_MS; now += CYCLE_MS) {
      if (isAsked(now)) asked.push(now)
    }
    expect(asked[0]).toBe(night)
    expect(asked[1]).toBe(START)
    expect(asked.at(-1)).toBe(START + 10 * HOUR_MS - 15 * MINUTE_MS)
    expect(asked).toHaveLength(1 + 40)
  })

  it('makes a source read when it is asked, with its last reading', () => {
    const rhythm = { everyMinutes: 15, hours: ALWAYS }
    const observations = [0, 6, 12, 16].map((minute) => at(minute, 1200 + minute))
    const source = { name: 'a', provenance: 'a', rhythm, observations }
    const read = readBy(BLUE, source, timetables(START, START + 24 * HOUR_MS))
    expect(read.observations.map(({ at, sell }) => [(at - START) / MINUTE_MS, sell])).toEqual([
      [0, price(1200)],
      [15, price(1212)],
      [30, price(1216)],
    ])
  })

  it('judges no pair in a cycle in which none of its sources is asked', () => {
    const rhythm = { everyMinutes: 15, hours: ALWAYS }
    const observations = [at(0, 1200), at(5, 1201)]
    const { publications } = simulate(
      BLUE,
      [{ name: 'a', provenance: 'a', rhythm, observations }],
      {
        timetable: timetables(START, START + 24 * HOUR_MS),
      },
    )
    expect(publications.map(({ at }) => (at - START) / MINUTE_MS)).toEqual([0, 15])
  })

  it('asks a witness only when its pair has its turn', () => {
    const evening = START + 12 * HOUR_MS
    const source = { rhythm: { everyMinutes: 5, hours: ALWAYS } }
    const made = timetables(START, evening)
    expect(askedOf(BLUE, source, made).isAsked(START + HOUR_MS)).toBe(true)
    expect(askedOf(BLUE, source, made).isAsked(evening)).toBe(false)
    expect(askedOf(BLUE, {}, made).isAsked(evening)).toBe(true)
  })
})

describe('a market', () => {
  it('gives the same as its pairs one by one, as long as the guard asks no relatives', () => {
    const bolsa = findPairByKey('USD/BOLSA')!
    const [blue, mep] = simulateMarket([
      { pair: BLUE, sources: steps(1200) },
      { pair: bolsa, sources: steps(1250) },
    ])
    expect(blue!.publications).toEqual(simulate(BLUE, steps(1200)).publications)
    expect(mep!.publications).toEqual(simulate(bolsa, steps(1250)).publications)
  })
})

describe('the targets', () => {
  const good: TrialResult[] = [
    ...KINDS.map(({ name }) => fault(name, {})),
    ...KINDS.filter(({ needsTwo }) => !needsTwo).map(({ name }) => fault(name, {}, 'alone')),
    ...[2, 2, 5].map((delay) => move(0.03, delay)),
    move(1.18, 110, 'alone'),
  ]
  const clean: CleanResult[] = [
    {
      mode: 'two',
      pair: 'USD/BLUE',
      changes: 10_000,
      correctHeld: 4,
      longestCorrectHold: 120,
      late: 0,
      contradicted: 0,
      moves: [{ at: START, from: 1, to: 2, delay: 70, delayConfirmed: 15 }],
    },
  ]
  const published = { at: 0, shown: { buy: 1, sell: 1 }, honest: { buy: 2, sell: 2 } }

  it('are met by a guard that meets them', () => {
    expect(missed(good, clean)).toEqual([])
  })

  it('are missed where no trial tells', () => {
    expect(missed([], []).length).toBe(
      reachedTargets(new Figures({ results: [], clean: [] })).length,
    )
  })

  it.each<[string, TrialResult[], Partial<CleanResult>, RegExp]>([
    [`a gross fault published`, [fault(GROSS[0]!, { published })], {}, /^gross faults, two/],
    [`a mild one of a few`, [fault(MILD[0]!, { published })], {}, /^mild faults, two/],
    ['a stale value kept', [fault('stale', { keptMinutes: 65 })], {}, /^stale: longest/],
    ['a slow move', [move(0.2, 6)], {}, /^moves shown by both: worst/],
    [
      'a move that never came',
      [{ ...move(0.2, 0), outcome: { delay: null } } as TrialResult],
      {},
      /shown by both: worst/,
    ],
    ['a slow move of a recording', [], { moves: [slowMove(16)] }, /recordings.*: worst/],
    ['one that never came', [], { moves: [slowMove(null)] }, /recordings.*: worst/],
    ['a move told by one and by relatives', [move(0.2, 121, 'alone')], {}, /by one alone/],
    ['a natural fault published', [], { contradicted: 1 }, /^natural faults/],
    ['a source shut out', [fault('one', { shutOutMinutes: 125 })], {}, /shut out/],
    ['correct values held', [], { correctHeld: 5 }, /held over 10/],
    ['correct values late', [], { late: 5 }, /held over 10/],
  ])('are missed for %s', (_, more, change, name) => {
    const found = missed([...good, ...more], [{ ...clean[0]!, ...change }])
    expect(found.some((one) => name.test(one))).toBe(true)
  })
})

function missed(results: TrialResult[], clean: CleanResult[]): string[] {
  return reachedTargets(new Figures({ results, clean }))
    .filter(({ isMet }) => !isMet)
    .map(({ name }) => name)
}

function steps(level: number) {
  return [{ name: 'a', provenance: 'a', observations: [at(0, level), at(30, level * 1.01)] }]
}

function fault(
  kind: (typeof KINDS)[number]['name'],
  outcome: Partial<Extract<TrialResult, { trial: { what: 'fault' } }>['outcome']>,
  mode: 'two' | 'alone' = 'two',
): TrialResult {
  return {
    mode,
    trial: {
      what: 'fault',
      seed: 1,
      pair: 'USD/BLUE',
      from: START,
      until: START + HOUR_MS,
      kind,
      distortions: new Map(),
      needsTwo: false,
    },
    outcome: { published: null, keptMinutes: 0, shutOutMinutes: 0, ...outcome },
  }
}

function move(step: number, delay: number, mode: 'two' | 'alone' = 'two'): TrialResult {
  return {
    mode,
    trial: {
      what: 'move',
      seed: 1,
      pair: 'USD/BLUE',
      from: START,
      step,
      shownAt: new Map(),
      relativesAt: START,
    },
    outcome: { delay },
  }
}

function slowMove(delayConfirmed: number | null) {
  return { at: START, from: 1, to: 2, delay: delayConfirmed, delayConfirmed }
}

function fileOf(name: string): Series {
  const observations = new Map<PairKey, Observation[]>(
    (
      ['USD/BLUE', 'USD/OFICIAL', 'USD/BOLSA', 'USD/MAYORISTA', 'USD/CCL', 'USD/CRIPTO'] as const
    ).map((key) => [key, [at(0, 1200)]]),
  )
  return { name, observations, skipped: 0 }
}

function at(minute: number, sell: number): Observation {
  return { at: START + minute * MINUTE_MS, buy: price(sell - 20), sell: price(sell) }
}

function price(value: number): number {
  return Math.round(value * 100) * 100
}
