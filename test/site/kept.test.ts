import { beforeEach, describe, expect, it } from 'vitest'
import { aroundDatabase } from '../../shared/db/around.ts'
import { createKept } from '../../workers/site/kept.ts'
import { env } from '../support/env.ts'
import { art } from '../support/instant.ts'
import { aBoardQuote, seedBoard } from '../support/board.ts'
import { openSite } from '../support/site.ts'

const NOON = art('2026-03-02 12:00')

const OF_BUILD = [
  '/docs',
  '/docs.md',
  '/docs/referencia.md',
  '/mudarse',
  '/llms.txt',
  '/llms-full.txt',
  '/openapi/quotes.json',
]
const OF_BOARD = [
  '/',
  '/usd/blue',
  '/usd/blue/grafico.json',
  '/usd/blue/diario.csv',
  '/badge/usd/blue.svg',
  '/embed/usd/blue',
  '/brecha',
  '/calendario',
  '/usd/blue/2026-02-27',
  '/facturacion',
  '/facturacion?fecha=2026-02-27&moneda=usd&monto=1500',
]

/** A site that counts its KV reads and database calls. */
function open() {
  const read: string[] = []
  const DB = aroundDatabase(env.DB, (call) => {
    read.push('database')
    return call()
  })
  const BOARD = new Proxy(env.BOARD, {
    get: (kv, name) =>
      name === 'get'
        ? (key: string, options: object) => {
            read.push(key)
            return kv.get(key, options)
          }
        : Reflect.get(kv, name),
  })
  const site = openSite({ env: { BOARD, DB } })
  site.clock.now = NOON
  return { ...site, read, forget: () => read.splice(0) }
}

beforeEach(() => seedBoard(NOON, { quotes: [aBoardQuote('USD/BLUE'), aBoardQuote('USD/OFICIAL')] }))

describe('a repeated request', () => {
  it.each([
    ...OF_BUILD.map((path) => [path, []] as const),
    ...OF_BOARD.map((path) => [path, ['board']] as const),
  ])(
    '%s is the same bytes, made of %j, with its tag, and 304 to who has it',
    async (path, made) => {
      const { fetch, read, forget } = open()
      const first = await fetch(path)
      const tag = first.headers.get('ETag')!
      expect(tag).toMatch(/^"[0-9a-f]{40}"$/)
      forget()
      const again = await fetch(path)
      expect(await again.text()).toBe(await first.text())
      expect(Object.fromEntries(again.headers)).toEqual(Object.fromEntries(first.headers))
      expect(read).toEqual(made)

      const unchanged = await fetch(path, { headers: { 'If-None-Match': tag } })
      expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
      expect(unchanged.headers.get('Cache-Control')).toBe(first.headers.get('Cache-Control'))
      const head = await fetch(path, { method: 'HEAD' })
      expect([head.status, head.headers.get('ETag')]).toEqual([200, tag])
    },
  )

  it('in another letter case is answered from memory', async () => {
    const { fetch, read, forget } = open()
    const { headers } = await fetch('/usd/blue/diario.csv')
    await fetch('/usd/blue')
    forget()
    const again = await fetch('/USD/Blue/diario.csv')
    expect([again.status, again.headers.get('ETag')]).toEqual([200, headers.get('ETag')])
    expect(read).toEqual(['board'])
    expect((await fetch('/USD/blue')).headers.get('Location')).toBe('/usd/blue')
  })

  it.each(['/usd/xyz', '/badge/usd/xyz.svg', '/embed/usd/xyz'])(
    '%s is a 404 for which nothing is read',
    async (path) => {
      const { fetch, read } = open()
      expect((await fetch(path)).status).toBe(404)
      expect(read).toEqual([])
    },
  )
})

describe('a new answer is made', () => {
  it.each(['/', '/usd/blue', '/badge/usd/blue.svg', '/embed/usd/blue', '/brecha'])(
    'when the board is another: %s',
    async (path) => {
      const { fetch } = open()
      const before = (await fetch(path)).headers.get('ETag')
      await seedBoard(NOON, {
        quotes: [aBoardQuote('USD/BLUE', { sell: 1555.5 }), aBoardQuote('USD/OFICIAL')],
      })
      expect((await fetch(path)).headers.get('ETag')).not.toBe(before)
    },
  )

  it.each(['/usd/blue/2026-02-27', '/facturacion?fecha=2026-02-27'])(
    'when the past has another revision: %s is made anew',
    async (path) => {
      const { fetch, read, forget } = open()
      await fetch(path)
      const quotes = [aBoardQuote('USD/BLUE'), aBoardQuote('USD/OFICIAL')]
      await seedBoard(NOON, { quotes, historyRevision: 2 })
      forget()
      await fetch(path)
      expect(read).toEqual(['board', 'database'])
    },
  )

  it('on another day', async () => {
    const { fetch, clock } = open()
    await seedBoard(art('2026-03-02 23:59:50'), { quotes: [aBoardQuote('USD/BLUE')] })
    clock.now = art('2026-03-02 23:59:59')
    const before = await (await fetch('/badge/usd/blue.svg')).text()
    clock.now = art('2026-03-03 00:00:00')
    expect(await (await fetch('/badge/usd/blue.svg')).text()).not.toBe(before)
  })

  it('for parameters that the page reads, and not for others', async () => {
    const { fetch, read, forget } = open()
    const usual = await (await fetch('/')).text()
    expect(await (await fetch('/?monto=7')).text()).not.toBe(usual)
    forget()
    await fetch('/?x=1')
    expect(read).toEqual(['board'])
  })

  it('half a minute later, because pages show ages', async () => {
    const { fetch, read, forget, clock } = open()
    await fetch('/usd/blue')
    const isMade = async (at: number) => {
      clock.now = NOON + at
      forget()
      await fetch('/usd/blue')
      return read.length > 1
    }
    expect(await isMade(29_999)).toBe(false)
    expect(await isMade(30_000)).toBe(true)
  })
})

it('keeps no error, and makes the answer after it', async () => {
  const { fetch } = open()
  const path = '/usd/blue/2026-02-27'
  await env.DB.exec('alter table points rename to gone')
  expect((await fetch(path)).status).toBe(503)
  await env.DB.exec('alter table gone rename to points')
  expect(await (await fetch(path)).text()).toContain('Dólar Blue el 27 de febrero de 2026')
})

it('keeps eight megabytes at most, addresses included', () => {
  const responses = createKept()
  const response = { headers: new Headers(), version: 'v', madeAt: NOON }
  for (let i = 0; i < 9; i++)
    responses.set(`page ${i}`, { ...response, body: new ArrayBuffer(900_000) })
  expect([responses.get('page 0'), responses.weight > 7_000_000]).toEqual([undefined, true])
  for (let i = 0; i < 2000; i++)
    responses.set(`${i} ${'x'.repeat(10_000)}`, { ...response, body: new ArrayBuffer(1) })
  expect(responses.get('page 8')).toBeUndefined()
})
