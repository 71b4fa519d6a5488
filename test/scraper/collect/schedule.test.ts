import { describe, expect, it } from 'vitest'
import { HOUR_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { findPairByKey, pairKey, type PairKey, PAIRS } from '../../../shared/market/catalog.ts'
import type { SourceResult } from '../../../workers/scraper/collect/collect.ts'
import { planFallbacks, planFirst } from '../../../workers/scraper/collect/schedule.ts'
import { SOURCES } from '../../../workers/scraper/sources/index.ts'
import type { Source } from '../../../workers/scraper/sources/source.ts'
import { noteResults, type SourcesState } from '../../../workers/scraper/collect/sources-state.ts'
import { art } from '../../support/instant.ts'

const names = SOURCES.map((source) => source.name)

/** The state after all sources were requested at an instant and succeeded, except `failing`. */
function requestedAt(at: Instant, failing: readonly string[] = []): SourcesState {
  return noteResults({}, answers(names, failing), at)
}

function answers(sources: readonly string[], failing: readonly string[] = []): SourceResult[] {
  return sources.map((source) =>
    failing.includes(source)
      ? { source, ok: false, failure: 'http' }
      : { source, ok: true, readings: [] },
  )
}

const namesOf = (list: readonly Source[]) => list.map(({ name }) => name)

function plan(
  state: SourcesState,
  now: Instant,
  guard: Partial<Parameters<typeof planFirst>[1]> = {},
) {
  const context = { state, now, tableDay: null }
  const known = { active: () => undefined, isHeld: () => false, ...guard }
  const { pairs, sources } = planFirst(context, known)
  return { pairs: pairs.map(pairKey), sources: namesOf(sources) }
}

/** The minutes after `from`, for five hours, at which a failing source is requested. */
function triesOf(source: string, state: SourcesState, from: Instant): number[] {
  const tries: number[] = []
  for (let now = from; now < from + 5 * HOUR_MS; now += 5 * MINUTE_MS) {
    const { sources } = plan(state, now)
    if (sources.includes(source)) tries.push((now - from) / MINUTE_MS)
    state = noteResults(state, answers(sources, [source]), now)
  }
  return tries
}

describe('the first round', () => {
  it('requests in business hours what is due after five minutes, usual sources before the others', () => {
    const now = art('2026-03-04 12:00')
    const { sources } = plan(requestedAt(now - 5 * MINUTE_MS), now)
    expect(sources.slice(0, 10).toSorted()).toEqual([
      'ambito-blue',
      'ambito-euro',
      'ambito-euro-blue',
      'ambito-futuro-contratos',
      'ambito-mayorista',
      'ambito-oficial',
      'ambito-real',
      'bna-personas',
      'byma-bonds',
      'criptoya-usdt',
    ])
    expect(sources.slice(10)).toEqual(
      expect.arrayContaining(['dolarhoy', 'criptoya-dolar', 'belo']),
    )
    expect(sources).not.toContain('dolarapi-dolares')
    expect(plan(requestedAt(now - 15 * MINUTE_MS), now).sources).toContain('dolarapi-dolares')
  })

  it('tolerates a cron that ticks some seconds early, and requests nothing in between', () => {
    const now = art('2026-03-04 12:00')
    expect(plan(requestedAt(now - 5 * MINUTE_MS + 20_000), now).sources).toContain('bna-personas')
    expect(plan(requestedAt(now - 4 * MINUTE_MS), now)).toMatchObject({ pairs: [], sources: [] })
  })

  it.each([
    ['at night', '2026-03-04 23:00', ['USD/CRIPTO']],
    ['on a Sunday', '2026-03-08 12:00', ['USD/CRIPTO']],
    [
      'on the holiday of 23 November 2026, when New York works',
      '2026-11-23 12:00',
      ['USD/CRIPTO', 'ARG/RIESGO'],
    ],
    [
      'on a bridge day, when the exchanges trade',
      '2026-07-10 12:00',
      ['USD/BOLSA', 'USD/CCL', 'USD/CRIPTO', 'USD/FUTURO', 'ARG/RIESGO'],
    ],
    ['at midnight, when indices turn', '2026-03-08 00:00', ['USD/CRIPTO', 'ARG/CER', 'ARG/UVA']],
  ])('requests only for pairs within their hours: %s', (_, at, pairs) => {
    const now = art(at)
    // Every source succeeded within its last session and is due by its interval.
    const state = requestedAt(now - 50 * MINUTE_MS)
    expect(plan(state, now).pairs).toEqual(pairs)
  })

  it('requests A3 in the morning, not Ámbito', () => {
    const now = art('2026-03-05 06:00')
    const { sources } = plan(requestedAt(now - 60 * MINUTE_MS), now)
    expect(sources.slice(0, 2)).toEqual(['criptoya-usdt', 'a3-dlr'])
    expect(sources).not.toContain('ambito-futuro-contratos')
  })

  it('catches up on a session whose end it missed', () => {
    const now = art('2026-03-04 21:00')
    expect(plan(requestedAt(art('2026-03-04 18:00')), now).pairs).toContain('USD/BNA')
    expect(plan(requestedAt(art('2026-03-04 18:56')), now).pairs).not.toContain('USD/BNA')
  })

  it.each([
    ['outside its hours', 'bna-personas', 600, '2026-03-06 22:00', [0, 10, 30, 70, 130, 190, 250]],
    ['as a witness', 'dolarhoy', 60, '2026-03-04 10:00', [0, 5, 10, 20, 40, 80, 140, 200, 260]],
    ['but each hour', 'argentinadatos-feriados', 1440, '2026-03-05 12:00', [0, 60, 120, 180, 240]],
  ])(
    'requests a source that stays down less and less often, %s',
    (_, source, minutes, time, tries) => {
      const from = art(time)
      expect(triesOf(source, requestedAt(from - minutes * MINUTE_MS), from)).toEqual(tries)
    },
  )

  it('requests the fallback in use together with the usual source', () => {
    const now = art('2026-03-04 12:00')
    const speaking = new Map<PairKey, string>([
      ['USD/BLUE', 'criptoya-dolar'],
      ['EUR/BLUE', 'dolarhoy × EUR/USD'],
      ['USD/BNA', 'import:dolares'],
    ])
    const active = (pair: PairKey) => speaking.get(pair)
    const { sources } = plan(requestedAt(now - 5 * MINUTE_MS), now, { active })
    expect(sources).toEqual(
      expect.arrayContaining(['ambito-blue', 'criptoya-dolar', 'dolarhoy', 'bcra-cotizaciones']),
    )
  })

  it.each([
    ['before its interval is over, in its hours', '2026-03-04 12:02', true],
    ['an hour after its close', '2026-03-04 21:00', true],
    ['three hours after its close', '2026-03-04 23:00', false],
  ])('requests a pair with a held value %s: %s', (_, time, isAsked) => {
    const now = art(time)
    const { pairs, sources } = plan(requestedAt(now - 5 * MINUTE_MS), now, {
      isHeld: (pair) => ['CLP/OFICIAL', 'USD/BLUE'].includes(pair),
    })
    expect(pairs.includes('USD/BLUE')).toBe(isAsked)
    expect(sources.includes('dolarhoy')).toBe(isAsked)
  })
})

describe('the second round', () => {
  const now = art('2026-03-04 12:00')
  const longAgo = requestedAt(now - 60 * MINUTE_MS)

  it('requests the other documents of pairs that need a fallback', () => {
    const next = planFallbacks([findPairByKey('USD/BLUE')!], new Set(['ambito-blue', 'dolarhoy']), {
      state: longAgo,
      now,
    })
    expect(next.map(({ name }) => name)).toEqual(['dolarapi-dolares', 'criptoya-dolar'])
  })

  it('requests no document twice within five minutes', () => {
    const state = requestedAt(now - 4 * MINUTE_MS)
    expect(planFallbacks([...PAIRS], new Set(), { state, now })).toEqual([])
  })
})
