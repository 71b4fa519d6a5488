import { createServer, type ServerResponse } from 'node:http'
import { afterAll, expect, it, vi } from 'vitest'
import { ALWAYS } from '../../shared/market/market-hours.ts'
import { listen } from '../../tools/support/listen.ts'
import { collect } from '../../workers/scraper/collect/collect.ts'
import type { Source } from '../../workers/scraper/sources/source.ts'

/** The answer of each path. An answer that does not end must meet the deadline. */
const ANSWERS: Record<string, (response: ServerResponse, tries: number) => void> = {
  '/silent': () => {},
  '/head-only': (response) => response.writeHead(200).flushHeaders(),
  '/stalled': (response) => response.write('{"a":'),
  '/dripping': (response) => {
    const drip = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(drip))
  },
  // Never ended: only the size limit can stop the reading.
  '/oversized': (response) => response.write(Buffer.alloc(3 * 1024 * 1024, ' ')),
  '/reset': (response) => response.socket?.resetAndDestroy(),
  '/cut': (response) => {
    response.writeHead(200, { 'Content-Length': '100' })
    response.write('{"a":1')
    setTimeout(() => response.destroy(), 20)
  },
  '/flaky': (response, tries) => {
    response.writeHead(tries === 1 ? 502 : 200).end('{"a":1}')
  },
}

const tries = new Map<string, number>()
const open = new Set<ServerResponse>()

const server = createServer((request, response) => {
  const path = request.url ?? ''
  tries.set(path, (tries.get(path) ?? 0) + 1)
  open.add(response)
  response.on('close', () => open.delete(response))
  ANSWERS[path]!(response, tries.get(path)!)
})
const listening = await listen(server)
afterAll(() => listening[Symbol.asyncDispose]())

function source(name: string): Source {
  return {
    name,
    rhythm: { everyMinutes: 5, hours: ALWAYS },
    request: () => ({ url: `http://127.0.0.1:${listening.port}/${name}` }),
    parse: (body) => (JSON.parse(body), []),
  }
}

it('gives each fault of a real connection its class, and leaves no connection open', async () => {
  const expected: Record<string, [outcome: string, tries: number]> = {
    silent: ['timeout', 2],
    'head-only': ['timeout', 2],
    stalled: ['timeout', 2],
    dripping: ['timeout', 2],
    oversized: ['too_large', 1],
    reset: ['network', 1],
    cut: ['network', 1],
    flaky: ['ok', 2],
  }
  const sources = Object.keys(expected).map(source)
  const results = await collect({ fetch, now: Date.now, deadlineMs: 4_000 }, sources)

  const found = results.map((result) => [
    result.source,
    [result.ok ? 'ok' : result.failure, tries.get(`/${result.source}`)],
  ])
  expect(Object.fromEntries(found)).toEqual(expected)
  await vi.waitFor(() => expect(open.size).toBe(0), { timeout: 5_000 })
})
