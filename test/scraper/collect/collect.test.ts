import { afterEach, describe, expect, it, vi } from 'vitest'
import { collect, type CollectDeps } from '../../../workers/scraper/collect/collect.ts'
import { MOST_FETCHES } from '../../../workers/scraper/evaluate-cycle.ts'
import { SOURCES } from '../../../workers/scraper/sources/index.ts'
import { ALWAYS } from '../../../shared/market/market-hours.ts'
import { emptyError } from '../../../workers/scraper/sources/parsing/source-error.ts'
import type { Source } from '../../../workers/scraper/sources/source.ts'
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

/** A network that gives its answers one after another; the last one for ever. */
function network(...answers: (() => Response | Promise<Response>)[]) {
  const asked: string[] = []
  const fetch = (async (url: string) => {
    asked.push(url)
    return await answers[Math.min(asked.length, answers.length) - 1]!()
  }) as CollectDeps['fetch']
  return { fetch, asked }
}

const good = () => new Response('{"compra":"1,00"}')
const status = (code: number) => () => new Response('{"secret":"4815162342"}', { status: code })
const broken = () => Promise.reject(new TypeError('connection refused to 10.0.0.1'))
const silent = () => new Promise<Response>(() => {})

/** A body that sends some bytes and then nothing more. */
const stalled = () =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"compra":')),
    }),
  )

function oversized() {
  const state = { sent: 0, cancelled: false }
  const chunk = new Uint8Array(64 * 1024).fill(32)
  const answer = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          state.sent += chunk.byteLength
          controller.enqueue(chunk)
        },
        cancel() {
          state.cancelled = true
        },
      }),
    )
  return { answer, state }
}

function logged() {
  return vi.spyOn(console, 'warn').mockImplementation(() => {})
}

afterEach(() => vi.restoreAllMocks())

describe('collect', () => {
  it('parses the body at the instant of asking and sends the request of the source', async () => {
    const seen: unknown[] = []
    const fetch = (async (url: string, init: RequestInit) => {
      seen.push(url, init.method, init.headers)
      return good()
    }) as CollectDeps['fetch']
    const parse = vi.fn<Source['parse']>(() => [])

    expect(await collect({ fetch, now }, [source('a', parse)])).toEqual([
      { source: 'a', ok: true, readings: [] },
    ])
    expect(parse).toHaveBeenCalledWith('{"compra":"1,00"}', at, false)
    expect(seen).toEqual(['https://a.example/', undefined, { Accept: 'application/json' }])
  })

  it('sends what a source posts', async () => {
    const posting: Source = {
      ...source('a'),
      request: () => ({ url: 'https://a.example/', method: 'POST', body: '<xml/>' }),
    }
    const fetch = vi.fn<CollectDeps['fetch']>(async () => good())
    await collect({ fetch, now }, [posting])
    expect(fetch.mock.calls[0]![1]).toMatchObject({ method: 'POST', body: '<xml/>' })
  })

  it.each<[string, () => Response | Promise<Response>, string, number]>([
    ['a refusal', status(403), 'http', 1],
    ['a missing page', status(404), 'http', 1],
    ['too many requests', status(429), 'http', 1],
    ['no content', () => new Response(null, { status: 204 }), 'http', 1],
    ['a redirect', status(302), 'http', 1],
    ['a broken server, twice', status(503), 'http', 2],
    ['a connection that fails', broken, 'network', 1],
    ['an empty body', () => new Response(' \n'), 'empty', 1],
    ['silence, twice', silent, 'timeout', 2],
    ['a body that stalls, twice', stalled, 'timeout', 2],
  ])('%s fails', async (_, answer, failure, tries) => {
    const warn = logged()
    const { fetch, asked } = network(answer)

    expect(await collect({ fetch, now, deadlineMs: 30 }, [source('a')])).toEqual([
      { source: 'a', ok: false, failure },
    ])
    expect(asked).toHaveLength(tries)
    expect(warn).toHaveBeenCalledTimes(1)
    expect(JSON.parse(warn.mock.calls[0]![0] as string)).toMatchObject({ source: 'a', failure })
  })

  it('retries no more often than the cycle has retries left', async () => {
    logged()
    const { fetch, asked } = network(status(503))
    const retries = { left: 2 }

    await collect(
      { fetch, now, retries },
      ['a', 'b', 'c', 'd'].map((name) => source(name)),
    )
    expect(asked).toHaveLength(6)
  })

  it('leaves retries beside one question to every document', () => {
    expect(SOURCES.length).toBeLessThan(MOST_FETCHES)
    expect(MOST_FETCHES).toBeLessThan(50)
  })

  it('logs a fault of our own code as one, without the address in it, and goes on', async () => {
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

  it.each([
    ['a 5xx', status(500)],
    ['a time-out', silent],
  ])('recovers when the second try after %s succeeds', async (_, answer) => {
    const { fetch, asked } = network(answer, good)
    const [result] = await collect({ fetch, now, deadlineMs: 30 }, [source('a')])
    expect(result!.ok).toBe(true)
    expect(asked).toHaveLength(2)
  })

  it('waits eight seconds, the body included, and no longer', async () => {
    vi.useFakeTimers()
    try {
      logged()
      const { fetch, asked } = network(silent, stalled)
      const collecting = collect({ fetch, now }, [source('a')])
      await vi.advanceTimersByTimeAsync(7_999)
      expect(asked).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(1)
      expect(asked).toHaveLength(2)
      await vi.advanceTimersByTimeAsync(8_000)
      expect(await collecting).toEqual([{ source: 'a', ok: false, failure: 'timeout' }])
    } finally {
      vi.useRealTimers()
    }
  })

  it('begins nothing new after forty seconds in which nobody answered', async () => {
    vi.useFakeTimers({ now: at })
    try {
      logged()
      const { fetch, asked } = network(silent)
      const sources = Array.from({ length: 40 }, (_, index) => source(`s${index}`))
      const collecting = collect({ fetch, now: Date.now }, sources)
      await vi.advanceTimersByTimeAsync(48_000)
      expect((await collecting).every((result) => !result.ok && result.failure === 'timeout')).toBe(
        true,
      )
      expect(Date.now()).toBe(at + 48_000)
      // Five tries of eight seconds by each of the six.
      expect(asked).toHaveLength(30)
    } finally {
      vi.useRealTimers()
    }
  })

  it('leaves no timer running after an answer', async () => {
    vi.useFakeTimers()
    try {
      const { fetch } = network(good)
      await collect({ fetch, now }, [source('a')])
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('tells the connection to stop at the deadline', async () => {
    logged()
    const signals: AbortSignal[] = []
    const fetch = (async (_: string, init: RequestInit) => {
      signals.push(init.signal!)
      return await silent()
    }) as CollectDeps['fetch']
    await collect({ fetch, now, deadlineMs: 10 }, [source('a')])
    expect(signals.map((signal) => signal.aborted)).toEqual([true, true])
  })

  it('stops reading past 2 MiB and cancels the rest', async () => {
    logged()
    const { answer, state } = oversized()
    const { fetch, asked } = network(answer)
    expect(await collect({ fetch, now }, [source('a')])).toEqual([
      { source: 'a', ok: false, failure: 'too_large' },
    ])
    expect(asked).toHaveLength(1)
    expect(state.cancelled).toBe(true)
    expect(state.sent).toBeLessThan(3 * 1024 * 1024)
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

  it('gives a failure the class that its parser says, and `format` for anything else', async () => {
    logged()
    const { fetch } = network(good)
    const results = await collect({ fetch, now }, [
      source('a', () => {
        throw emptyError('holds nothing')
      }),
      source('b', () => {
        throw new TypeError("Cannot read properties of undefined (reading 'x')")
      }),
    ])
    expect(results).toMatchObject([{ failure: 'empty' }, { failure: 'format' }])
  })

  it('goes on with the others when one fails, in the order of the list', async () => {
    logged()
    const fetch = (async (url: string) => {
      if (url.includes('b.')) throw new TypeError('no')
      return good()
    }) as CollectDeps['fetch']
    const results = await collect(
      { fetch, now },
      ['a', 'b', 'c'].map((name) => source(name)),
    )
    expect(results).toMatchObject([
      { source: 'a', ok: true },
      { source: 'b', ok: false },
      { source: 'c', ok: true },
    ])
  })

  it('has at most six requests in flight, and six when there are more to ask', async () => {
    let inFlight = 0
    let most = 0
    const fetch = (async () => {
      most = Math.max(most, ++inFlight)
      await new Promise((resolve) => setTimeout(resolve, 1))
      inFlight--
      return good()
    }) as unknown as CollectDeps['fetch']
    const sources = Array.from({ length: 20 }, (_, index) => source(`s${index}`))
    expect(await collect({ fetch, now }, sources)).toHaveLength(20)
    expect(most).toBe(6)
  })

  it('logs one line without document, address or message of the network', async () => {
    const warn = logged()
    const { fetch } = network(status(500), status(500), broken)
    await collect({ fetch, now }, [source('a')])
    await collect({ fetch, now }, [source('b')])
    const lines = warn.mock.calls.map(([line]) => line as string)
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(line).not.toMatch(/4815162342|10\.0\.0\.1|example|\n/)
  })

  it('names the rows that a document lost, and goes on with the rest', async () => {
    const warn = logged()
    const incomplete = source('a', () => [{ kind: 'missing', row: 'BRL/BNA Real *' }])
    const results = await collect({ fetch: network(good).fetch, now }, [incomplete])
    expect(results).toMatchObject([{ ok: true }])
    expect(warn.mock.calls).toEqual([
      ['{"event":"source_incomplete","source":"a","rows":["BRL/BNA Real *"]}'],
    ])
  })

  it('asks nobody when there is nobody to ask', async () => {
    expect(await collect({ fetch: network(broken).fetch, now }, [])).toEqual([])
  })

  it('asks witnesses after the leading sources, and once only', async () => {
    logged()
    const { fetch, asked } = network(good, status(503))
    const results = await collect({ fetch, now }, [source('lead')], [source('witness')])
    expect(asked).toEqual(['https://lead.example/', 'https://witness.example/'])
    expect(results).toMatchObject([{ ok: true }, { source: 'witness', ok: false, failure: 'http' }])
  })

  it('waits for a slow witness no longer than its patience, and loses nothing of the others', async () => {
    logged()
    const fetch = (async (url: string) =>
      url.includes('slow') ? await silent() : good()) as CollectDeps['fetch']
    const before = Date.now()
    const results = await collect(
      { fetch, now, patienceMs: 20 },
      [source('lead')],
      [
        source('slow-1'),
        source('quick'),
        ...Array.from({ length: 8 }, (_, index) => source(`slow-${index + 2}`)),
      ],
    )
    expect(Date.now() - before).toBeLessThan(2000)
    expect(results).toHaveLength(11)
    expect(results.filter(({ ok }) => ok).map(({ source }) => source)).toEqual(['lead', 'quick'])
  })
})
