import { beforeEach, describe, expect, it } from 'vitest'
import { fromBase64 } from '../../shared/crypto/base64.ts'
import { sha256 } from '../../shared/crypto/sha256.ts'
import { raiseHistoryStatement } from '../../shared/db/quotes/history-revision.ts'
import { openEdge } from '../support/edge.ts'
import { env } from '../support/env.ts'
import { failing } from '../support/failing-database.ts'
import { art } from '../support/instant.ts'
import { seedOnce } from '../support/open-database.ts'
import { build, nightAfter, seedDays } from '../support/record.ts'
import { seedBoard } from '../support/seed.ts'
import { untouchable } from '../support/untouchable.ts'

const NOON = art('2026-03-04 12:00')
const KEYS = '/.well-known/cotizaciones-keys.json'
const LAST = '/datos/manifiestos/2026-03-03.json'
const DAY = '/datos/dias/2026-03-02.csv'

const open = (bindings: object = { DB: untouchable }) => openEdge({ now: NOON, env: bindings })
const get = (path: string, init?: RequestInit) => open().fetch(path, init)

describe('the record', () => {
  beforeEach(() =>
    seedOnce('two nights of a demo', async () => {
      await seedDays(['2026-03-01 11:00', 1410, 1430], ['2026-03-02 10:00', 1415, 1435])
      await seedBoard(NOON, { mode: 'demo' })
      await build(nightAfter('2026-03-02'))
      await build(nightAfter('2026-03-03'))
    }),
  )

  it('is checked from outside: the list names the manifest, the manifest its bytes and its key', async () => {
    const listed = (await (await get('/datos/archivos.json')).json()) as any
    expect(listed.manifest.url).toBe(LAST)
    const body = await (await get(LAST)).text()
    expect(await sha256(body)).toBe(listed.manifest.sha256)

    expect(await (await get('/datos/manifiestos/ultimo.json')).text()).toBe(body)

    const { keys } = (await (await get(KEYS)).json()) as any
    const { key, files, days } = JSON.parse(body)
    expect(keys.map(({ kid }: { kid: string }) => kid)).toEqual([key])
    const { x, kty, crv, pem } = keys[0]
    const jwk = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', true, ['verify'])
    const spki = fromBase64(pem.split('\n')[1])!
    expect(new Uint8Array((await crypto.subtle.exportKey('spki', jwk)) as ArrayBuffer)).toEqual(
      spki,
    )

    const signature = await get(`${LAST}.sig`)
    const bytes = fromBase64(await signature.text())!
    const signed = new TextEncoder().encode(body)
    expect(bytes.byteLength).toBe(64)
    expect(await crypto.subtle.verify('Ed25519', jwk, bytes, signed)).toBe(true)

    for (const file of files) {
      const contents = await (await get(file.url)).arrayBuffer()
      expect(await sha256(new Uint8Array(contents)), file.name).toBe(file.sha256)
    }
    const day = await open({}).fetch(`/datos/dias/${days[0].date}.csv`)
    expect(await sha256(await day.text())).toBe(days[0].sha256)
  })

  it.each([LAST, '/datos/manifiestos/2026-03-02.json', `${LAST}.sig`, KEYS, DAY])(
    'is asked for with its tag each time, from any page, and takes no parameters: %s',
    async (path) => {
      const edge = open({})
      const first = await edge.fetch(path)
      const bytes = (await first.arrayBuffer()).byteLength
      expect([first.status, bytes > 0]).toEqual([200, true])
      expect(first.headers.get('Cache-Control')).toBe('public, no-cache')
      expect(first.headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect(first.headers.get('X-Service-Mode')).toBe('demo')
      const headers = { 'If-None-Match': first.headers.get('ETag')! }
      expect((await edge.fetch(path, { headers })).status).toBe(304)
      expect((await edge.fetch(path, { method: 'HEAD' })).status).toBe(200)
      expect((await edge.fetch(`${path}?v=2`)).status).toBe(400)
      const other = await edge.fetch(path, { method: 'DELETE' })
      expect([other.status, other.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    },
  )

  it.each([
    '/datos/manifiestos/2026-03-01.json',
    '/datos/manifiestos/2026-03-03.2.json',
    '/datos/manifiestos/2026-03-03',
    '/datos/manifiestos/2026-03-03.json.sig.sig',
    '/datos/manifiestos/..%2F..%2Fboard.json',
    '/datos/manifiestos/',
    '/datos/dias/2026-02-28.csv',
    '/datos/dias/2026-03-04.csv',
    '/datos/dias/2026-02-30.csv',
    '/datos/dias/2026-03-02.json',
    '/datos/dias/2026-03-02',
  ])('has nothing at %s', async (path) => {
    const response = await open({}).fetch(path)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ error: expect.any(String) })
  })

  it('has no signature of a night without a key', async () => {
    await raiseHistoryStatement(env.DB).run()
    await build(NOON, { RECORD_SIGNING_KEY: '' })
    const name = '/datos/manifiestos/2026-03-03.2.json'
    expect(((await (await get(name)).json()) as any).key).toBeNull()
    expect((await get(`${name}.sig`)).status).toBe(404)
  })

  it('keeps the days behind the limit of date reads', async () => {
    const edge = open({})
    const headers = { 'CF-Connecting-IP': '203.0.113.7' }
    for (let i = 0; i < 20; i++) expect((await edge.fetch(DAY, { headers })).status).toBe(200)
    expect((await edge.fetch(DAY, { headers })).status).toBe(429)
    expect((await edge.fetch(LAST, { headers })).status).toBe(200)
  })

  it('says that a day is out of reach when the database is', async () => {
    const response = await open({ DB: failing('down') }).fetch(DAY)
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
  })
})

it('is a 503 before the first night', async () => {
  for (const path of [LAST, `${LAST}.sig`, KEYS, DAY]) {
    const response = await open().fetch(path)
    expect([response.status, response.headers.get('Retry-After')], path).toEqual([503, '300'])
  }
})
