import { afterEach, describe, expect, it, vi } from 'vitest'
import { collect, type CollectDeps } from '../../../workers/scraper/collect/collect.ts'
import { MOST_FETCHES } from '../../../workers/scraper/evaluate-cycle.ts'
import { SOURCES } from '../../../workers/scraper/sources/index.ts'
import { ALWAYS } from '../../../shared/market/market-hours.ts'
import { emptyError, type Source } from '../../../workers/scraper/sources/source.ts'
import { art } from '../../support/instant.ts'

const at = art('2026-03-04 12:00')
const now = () => at

function source(name: string, parse: Source['parse'] = () => []): Source {
  return {
    name,
    rhythm: { everyMinutes: 5, hours: ALWAYS },
    request: () => ({ url: `https://${name}.example/`, headers: { Accept: 'application/json' } }),
    parse,
  }
}

/** A network that gives these answers in turn, and then repeats the last one. */
function network(...answers: (() => Response | Promise<Response>)[]) {
  const requested: string[] = []
  const fetch = (async (url: string) => {
    requested.push(url)
    return await answers[Math.min(requested.length, answers.length) - 1]!()
  }) as CollectDeps['fetch']
  return { fetch, requested }
}

const good = () => new Response('{"compra":"1,00"}')
const status = (code: number) => () => new Response('{"secret":"4815162342"}', { status: code })
const broken = () => Promise.reject(new TypeError('connection refused to 10.0.0.1'))
const silent = () => new Promise<Response>(() => {})

function logged() {
  return vi.spyOn(console, 'warn').mockImplementation(() => {})
}

afterEach(() => vi.restoreAllMocks())

describe('collect', () => {
  it('sends the request of the source, and parses the body with the instant of the request', async () => {
    const parse = vi.fn<Source['parse']>(() => [])
    const request = { method: 'POST', headers: { Accept: 'text/xml' }, body: '<xml/>' } as const
    const posting = {
      ...source('a', parse),
      request: () => ({ url: 'https://a.test/', ...request }),
    }
    const fetch = vi.fn<CollectDeps['fetch']>(async () => good())

    expect(await collect({ fetch, now }, [posting])).toEqual([
      { source: 'a', ok: true, readings: [] },
    ])
    expect(fetch).toHaveBeenCalledExactlyOnceWith(
      'https://a.test/',
      expect.objectContaining(request),
    )
    expect(parse).toHaveBeenCalledWith('{"compra":"1,00"}', at, false)
  })

  it.each<[string, () => Response | Promise<Response>, string, number, error?: Error]>([
    ['no content', () => new Response(null, { status: 204 }), 'http', 1],
    ['a redirect', status(302), 'http', 1],
    ['a broken server, twice', status(503), 'http', 2],
    ['a connection that fails', broken, 'network', 1],
    ['an empty body', () => new Response(' \n'), 'empty', 1],
    ['a document with nothing', good, 'empty', 1, emptyError('holds nothing')],
    ['an unknown document', good, 'format', 1, new TypeError("Cannot read '4815162342'")],
  ])(
    '%s fails, with one log line that repeats nothing of the document',
    async (_, answer, failure, tries, error) => {
      const warn = logged()
      const { fetch, requested } = network(answer)

      const parse = () => {
        if (error) throw error
        return []
      }
      expect(await collect({ fetch, now }, [source('a', parse)])).toEqual([
        { source: 'a', ok: false, failure },
      ])
      expect(requested).toHaveLength(tries)
      expect(warn).toHaveBeenCalledTimes(1)
      const line = warn.mock.calls[0]![0] as string
      expect(JSON.parse(line)).toMatchObject({ event: 'source_failed', failure, sources: ['a'] })
      expect(line).not.toMatch(/4815162342|10\.0\.0\.1|example|\n/)
    },
  )

  it('logs one line for all sources that fail alike', async () => {
    const warn = logged()
    const { fetch } = network(broken, broken, status(404), broken)
    await collect(
      { fetch, now },
      ['a', 'b', 'c', 'd'].map((name) => source(name)),
    )
    expect(warn.mock.calls.map(([line]) => JSON.parse(line as string).sources)).toEqual([
      ['a', 'b', 'd'],
      ['c'],
    ])
  })

  it('retries no more often than the cycle has retries left', async () => {
    logged()
    const { fetch, requested } = network(status(503))
    const retries = { left: 2 }

    await collect(
      { fetch, now, retries },
      ['a', 'b', 'c', 'd'].map((name) => source(name)),
    )
    expect(requested).toHaveLength(6)
  })

  it('leaves requests for retries when every document is requested once', () => {
    expect(SOURCES.length).toBeLessThan(MOST_FETCHES)
    expect(MOST_FETCHES).toBeLessThan(50)
  })

  it('logs an error of our own code as internal, without the address in it, and continues', async () => {
    const warn = logged()
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const broken: Source = {
      ...source('a'),
      request: () => {
        throw new TypeError('cannot read https://secret.example/')
      },
    }
    const { fetch } = network(good)

    expect(await collect({ fetch, now }, [broken, source('b')])).toEqual([
      { source: 'a', ok: false, failure: 'internal' },
      { source: 'b', ok: true, readings: [] },
    ])
    expect(warn).not.toHaveBeenCalled()
    expect(JSON.parse(error.mock.calls[0]![0] as string)).toEqual({
      event: 'collect_broke',
      source: 'a',
      kind: 'TypeError',
      message: 'cannot read …',
      stack: expect.arrayContaining([expect.stringMatching(/collect\.ts:\d+:\d+/)]),
    })
  })

  it('requests six sources at once for eight seconds each, and no more after forty seconds without an answer', async () => {
    vi.useFakeTimers({ now: at })
    try {
      logged()
      const { fetch, requested } = network(silent)
      const sources = Array.from({ length: 40 }, (_, index) => source(`s${index}`))
      const collecting = collect({ fetch, now: Date.now }, sources)
      await vi.advanceTimersByTimeAsync(7_999)
      expect(requested).toHaveLength(6)
      await vi.advanceTimersByTimeAsync(1)
      expect(requested).toHaveLength(12)
      await vi.advanceTimersByTimeAsync(40_000)
      expect((await collecting).every((result) => !result.ok && result.failure === 'timeout')).toBe(
        true,
      )
      expect(Date.now()).toBe(at + 48_000)
      // Five tries of eight seconds in each of the six places.
      expect(requested).toHaveLength(30)
    } finally {
      vi.useRealTimers()
    }
  })

  it('reads 2 MiB to the byte, and characters cut between two chunks', async () => {
    const parse = vi.fn<Source['parse']>(() => [])
    const whole = `ñ${' '.repeat(2 * 1024 * 1024 - 2)}`
    const { fetch } = network(() => new Response(whole))
    expect(await collect({ fetch, now }, [source('a', parse)])).toMatchObject([{ ok: true }])
    expect(parse.mock.calls[0]![0]).toBe(whole)

    const bytes = new TextEncoder().encode('año')
    const cut = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes.slice(0, 2))
        controller.enqueue(bytes.slice(2))
        controller.close()
      },
    })
    await collect({ fetch: network(() => new Response(cut)).fetch, now }, [source('a', parse)])
    expect(parse.mock.calls[1]![0]).toBe('año')
  })

  it('names the rows that a document lacks, and continues with the others', async () => {
    const warn = logged()
    const incomplete = source('a', () => [{ kind: 'missing', row: 'BRL/BNA Real *' }])
    const results = await collect({ fetch: network(good).fetch, now }, [incomplete])
    expect(results).toMatchObject([{ ok: true }])
    expect(warn.mock.calls).toEqual([
      ['{"event":"source_incomplete","source":"a","rows":["BRL/BNA Real *"]}'],
    ])
  })
})
