import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { SOURCES } from '../../../workers/scraper/sources/index.ts'
import {
  noteResults,
  parseSourcesState,
  sourceHealth,
} from '../../../workers/scraper/collect/sources-state.ts'
import { art } from '../../support/instant.ts'

const at = art('2026-03-04 12:00')
const good = { source: 'belo', ok: true, readings: [] } as const
const bad = { source: 'belo', ok: false, failure: 'timeout' } as const

describe('the memory of a source', () => {
  it('counts failures in a row and keeps the last success', () => {
    const once = noteResults({}, [good], at)
    const twice = noteResults(noteResults(once, [bad], at + 1), [bad], at + 2)
    const down = parseSourcesState(
      JSON.stringify(noteResults(twice, [{ ...good, source: 'bcu' }], at + 3)),
    )
    expect(down['belo']).toEqual({
      lastRequestedAt: at + 2,
      lastSuccessAt: at,
      lastError: 'timeout',
      failures: 2,
    })
    expect(noteResults(down, [good], at + 3)['belo']).toEqual({
      lastRequestedAt: at + 3,
      lastSuccessAt: at + 3,
      lastError: null,
      failures: 0,
    })
  })

  it.each([null, undefined, '', 'x', 'null', '[1]', '{"belo":null}', '{"belo":{"failures":1}}'])(
    'starts anew from %s',
    (text) => {
      expect(parseSourcesState(text)).toEqual({})
    },
  )
})

it('tells the board of every source, in list order', () => {
  const state = noteResults(noteResults({}, [good], at), [bad], at + 5 * MINUTE_MS)
  const health = sourceHealth(state)
  expect(health.map(({ name }) => name)).toEqual(SOURCES.map(({ name }) => name))
  expect(health.find(({ name }) => name === 'belo')).toEqual({
    name: 'belo',
    lastSuccessAt: '2026-03-04T12:00:00.000-03:00',
    lastError: 'timeout',
    everyMinutes: 5,
  })
  expect(health.find(({ name }) => name === 'bcu')).toMatchObject({
    lastSuccessAt: null,
    lastError: null,
  })
})
