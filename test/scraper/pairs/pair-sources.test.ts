import { describe, expect, it } from 'vitest'
import { pairKey, PAIRS } from '../../../shared/market/catalog.ts'
import { pairRhythm } from '../../../shared/market/market-hours.ts'
import { sourcesOf } from '../../../workers/scraper/pairs/pair-sources.ts'
import { SOURCES, sourceNamed } from '../../../workers/scraper/sources/index.ts'
import { art } from '../../support/instant.ts'

const now = art('2026-03-04 15:55')

describe('the list of sources', () => {
  it('names each once', () => {
    const names = SOURCES.map((source) => source.name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('holds nothing that no pair needs', () => {
    const needed = new Set(PAIRS.flatMap((pair) => sourcesOf(pair).flatMap((way) => way.needs)))
    expect(SOURCES.map((source) => source.name).filter((name) => !needed.has(name))).toEqual([
      'argentinadatos-feriados',
    ])
  })

  it('asks over https only, each its own address', () => {
    const urls = SOURCES.map((source) => source.request(now).url)
    expect(new Set(urls).size).toBe(urls.length)
    for (const url of urls) expect(new URL(url).protocol).toBe('https:')
  })

  it('asks the BCRA for days around today in Argentina, never from the future', () => {
    const { url } = sourceNamed('bcra-cer').request(art('2026-03-04 23:59:59'))
    expect(url).toContain('Monetarias/30?desde=2026-02-22&hasta=2026-03-04&')
  })
})

describe('every pair', () => {
  it.each(PAIRS.map((pair) => [pairKey(pair), pair] as const))(
    '%s is fresh by the hours of its first source',
    (_, pair) => {
      const rhythms = sourcesOf(pair)[0]!.needs.map((name) => sourceNamed(name).rhythm)
      expect(rhythms).toEqual([pairRhythm(pair)])
    },
  )

  it('starts from a source of its own definition', () => {
    expect(PAIRS.filter((pair) => !sourcesOf(pair)[0]!.sameDefinition)).toEqual([])
  })
})
