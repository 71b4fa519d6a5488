import * as fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { toHex } from '../../shared/encoding.ts'
import { seedFiles } from '../support/nightly-files.ts'
import { openEdge } from '../support/edge.ts'
import { failing } from '../support/faulty-database.ts'
import { art } from '../support/instant.ts'

const NOON = art('2026-03-03 12:00')
const CSV = '/datos/cotizaciones.csv'

const open = () => openEdge({ now: NOON, env: { DB: failing('') } })

beforeEach(() => seedFiles(NOON, 'demo'))

it('a file is served with its length, ETag and name, without the database', async () => {
  const listed = await open().json('/datos/archivos.json')
  expect(listed).toMatchObject({
    firstDay: '2026-02-28',
    lastDay: '2026-03-02',
    license: 'CC0-1.0',
    mode: 'demo',
  })
  expect(listed.files.map(({ name }: { name: string }) => name)).toEqual([
    'cotizaciones.csv',
    'cotizaciones.parquet',
  ])

  for (const { url, name, bytes, sha256 } of listed.files) {
    const response = await open().fetch(url)
    const contents = await response.arrayBuffer()
    expect(contents.byteLength, name).toBe(bytes)
    const digest = await crypto.subtle.digest('SHA-256', contents)
    expect(toHex(new Uint8Array(digest)), name).toBe(sha256)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag: `"${sha256}"`,
      'content-length': String(bytes),
      'content-disposition': `attachment; filename="${name}"`,
      'accept-ranges': 'bytes',
    })
  }
})

it('caches revalidate the files, their list and their checksums each time, so they never mix two nights', async () => {
  for (const name of ['archivos.json', 'SHA256SUMS', 'cotizaciones.csv']) {
    const path = `/datos/${name}`
    const head = await open().fetch(path, { method: 'HEAD' })
    expect(Object.fromEntries(head.headers), name).toMatchObject({
      'cache-control': 'public, no-cache',
      'x-content-type-options': 'nosniff',
    })
    const etag = head.headers.get('ETag')!
    const modified = head.headers.get('Last-Modified')!
    for (const [headers, status] of [
      [{ 'If-None-Match': etag }, 304],
      [{ 'If-Modified-Since': modified }, 304],
      [{ 'If-Modified-Since': 'Tue Mar  3 15:00:00 2026' }, 304],
      [{ 'If-Modified-Since': 'Tue, 03 Mar 2026 14:59:59 GMT' }, 200],
      [{ 'If-Modified-Since': '2050' }, 200],
      [{ 'If-Modified-Since': modified, 'If-None-Match': '"other"' }, 200],
    ] as const) {
      const again = await open().fetch(path, { headers })
      expect(again.status, JSON.stringify(headers)).toBe(status)
      expect(Object.fromEntries(again.headers)).toMatchObject({
        'cache-control': 'public, no-cache',
        'last-modified': 'Tue, 03 Mar 2026 15:00:00 GMT',
      })
    }
    const refused = await open().fetch(`${path}?v=2`)
    expect(await refused.json()).toEqual({ error: 'Esta dirección no acepta parámetros' })
    expect((await open().fetch(`${path}?`, { method: 'HEAD' })).status).toBe(200)
    const busted = await open().fetch(`${path}?_=1&t=2`, { method: 'HEAD' })
    expect(busted.status, name).toBe(name.endsWith('.csv') ? 200 : 400)
  }
  const sums = await (await open().fetch('/datos/SHA256SUMS')).text()
  expect(sums).toMatch(/^([0-9a-f]{64} {2}cotizaciones\.\w+\n){2}$/)
})

it('a request for a range gets those bytes, the whole file, or a 416 with the size', async () => {
  const edge = open()
  const whole = await (await edge.fetch(CSV)).text()
  const size = whole.length
  const ends = fc.oneof(
    fc.nat(size + 20).map(String),
    fc.constantFrom('', '0', `${size - 1}`, `${size}`),
  )
  await fc.assert(
    fc.asyncProperty(ends, ends, async (from, to) => {
      const response = await edge.fetch(CSV, { headers: { Range: `bytes=${from}-${to}` } })
      const contents = await response.text()
      const isRange = from === '' ? to !== '' : to === '' || Number(to) >= Number(from)
      if (!isRange) {
        expect([response.status, contents]).toEqual([200, whole])
        return
      }

      const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
      const part = whole.slice(first, from === '' || to === '' ? size : Number(to) + 1)
      const isSome = part !== ''
      expect(response.status).toBe(isSome ? 206 : 416)
      expect(contents).toBe(isSome ? part : '{"error":"El rango está fuera del archivo"}')
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-range': `bytes ${isSome ? `${first}-${first + part.length - 1}` : '*'}/${size}`,
        'cache-control': isSome ? 'public, no-cache' : 'no-store',
      })
      if (isSome) expect(response.headers.get('Content-Length')).toBe(`${part.length}`)
    }),
  )
})

const ifRange = (version: string) => ({ Range: 'bytes=0-3', 'If-Range': version })

it('a file is answered whole to HEAD, to malformed ranges, and to If-Range of another version', async () => {
  const whole = (await open().fetch(CSV, { method: 'HEAD' })).headers
  const wrong = ['bytes=0-1,3-4', 'bytes=5-2', 'bytes=-', 'lines=1-2', 'bytes=a-b']
  for (const [headers, status = 200, method = 'GET'] of [
    [{ Range: 'bytes=999999-' }, 200, 'HEAD'],
    ...wrong.map((Range) => [{ Range }] as const),
    [ifRange('"other"')],
    [ifRange('Tue, 03 Mar 2026 14:00:00 GMT')],
    [ifRange(whole.get('ETag')!), 206],
    [ifRange(whole.get('Last-Modified')!), 206],
  ] as const) {
    const response = await open().fetch(CSV, { method, headers })
    await response.arrayBuffer()
    const [length, range] = ['Content-Length', 'Content-Range'].map((name) =>
      response.headers.get(name),
    )
    expect(response.status).toBe(status)
    if (status === 200) expect([length, range]).toEqual([whole.get('Content-Length'), null])
  }
})

it('a page of another origin can read a file in parts', async () => {
  const preflight = await open().fetch(CSV, { method: 'OPTIONS' })
  expect(preflight.headers.get('Access-Control-Allow-Headers')).toBe(
    'Range, If-Range, If-None-Match, If-Modified-Since',
  )
  for (const Range of ['bytes=0-3', 'bytes=999999-']) {
    const { headers, body } = await open().fetch(CSV, { headers: { Range } })
    await body?.cancel()
    const exposed = headers.get('Access-Control-Expose-Headers')
    expect(exposed).toMatch(/^ETag, .*, Accept-Ranges, Content-Range$/)
  }
})
