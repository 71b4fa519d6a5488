import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildFiles } from '../support/archive.ts'
import { readRange } from '../../workers/edge/archive/range.ts'
import { seedCloses } from '../support/candles.ts'
import { openEdge } from '../support/edge.ts'
import { art } from '../support/instant.ts'
import { seedBoard } from '../support/seed.ts'
import { untouchable } from '../support/untouchable.ts'

const NOON = art('2026-03-03 12:00')
const CSV = '/datos/cotizaciones.csv'

async function seedFiles(): Promise<void> {
  await seedCloses('usd/blue', ['2026-02-28', 1410.5, 1430.25], ['2026-03-02', 1420, 1440])
  await seedBoard(NOON, { mode: 'demo' })
  await buildFiles(NOON, 'demo')
}

const open = () => openEdge({ now: NOON, env: { DB: untouchable } })

/** The status of the CSV asked with these headers; its body is read to the end. */
async function statusOf(headers: Record<string, string>): Promise<number> {
  const response = await open().fetch(CSV, { headers })
  await response.arrayBuffer()
  return response.status
}

describe('a nightly file', () => {
  it('is served with its type, length, tag and name, without the database', async () => {
    await seedFiles()
    const listed = (await (await open().fetch('/datos/archivos.json')).json()) as any
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
      expect(response.headers.get('ETag')).toBe(`"${sha256}"`)
      expect(response.headers.get('Content-Length')).toBe(String(bytes))
      expect(response.headers.get('Content-Disposition')).toBe(`attachment; filename="${name}"`)
      expect(response.headers.get('Accept-Ranges')).toBe('bytes')
      expect(response.headers.get('Cache-Control')).toBe('public, no-cache')
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect(response.headers.get('X-Service-Mode')).toBe('demo')
    }
  })

  it('is validated each time, as its list and its sum: caches never mix two nights', async () => {
    await seedFiles()
    for (const name of ['archivos.json', 'SHA256SUMS', 'cotizaciones.csv']) {
      const path = `/datos/${name}`
      const head = await open().fetch(path, { method: 'HEAD' })
      expect([head.status, await head.text()], name).toEqual([200, ''])
      expect(Object.fromEntries(head.headers), name).toMatchObject({
        'cache-control': 'public, no-cache',
        'x-content-type-options': 'nosniff',
        'x-service-mode': 'demo',
      })
      const headers = { 'If-None-Match': head.headers.get('ETag')! }
      const again = await open().fetch(path, { headers })
      expect([again.status, again.headers.get('Cache-Control')]).toEqual([304, 'public, no-cache'])
      const refused = await open().fetch(`${path}?v=2`)
      expect(await refused.json()).toEqual({ error: 'Esta dirección no acepta parámetros' })
      expect((await open().fetch(`${path}?`, { method: 'HEAD' })).status).toBe(200)
    }
    const sums = await (await open().fetch('/datos/SHA256SUMS')).text()
    expect(sums).toMatch(/^([0-9a-f]{64} {2}cotizaciones\.\w+\n){2}$/)
  })

  it.each([
    ['bytes=0-3', 'date', '0-3'],
    ['bytes=5-12', 'currency', '5-12'],
    ['bytes=-7', ',true\r\n', null],
    ['bytes=0-999999', null, null],
  ])('answers %s in part', async (range, expected, told) => {
    await seedFiles()
    const whole = await (await open().fetch(CSV)).text()
    const response = await open().fetch(CSV, { headers: { Range: range } })

    expect(response.status).toBe(206)
    const contents = await response.text()
    expect(contents).toBe(expected ?? whole)
    expect(response.headers.get('Content-Length')).toBe(String(contents.length))
    if (told) expect(response.headers.get('Content-Range')).toBe(`bytes ${told}/${whole.length}`)
  })

  it('has no parts for HEAD, which asks about the whole', async () => {
    await seedFiles()
    const whole = await open().fetch(CSV, { method: 'HEAD' })
    const head = await open().fetch(CSV, { method: 'HEAD', headers: { Range: 'bytes=999999-' } })
    expect(head.status).toBe(200)
    expect(head.headers.get('Content-Length')).toBe(whole.headers.get('Content-Length'))
    expect(head.headers.get('Content-Range')).toBeNull()
  })

  it('beyond its end is a 416 that tells the size', async () => {
    await seedFiles()
    const response = await open().fetch(CSV, { headers: { Range: 'bytes=999999-' } })
    expect(response.status).toBe(416)
    expect(response.headers.get('Content-Range')).toMatch(/^bytes \*\/\d+$/)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(await response.json()).toEqual({ error: 'El rango está fuera del archivo' })
  })

  it('is read in parts by a page of another origin', async () => {
    await seedFiles()
    const preflight = await open().fetch(CSV, { method: 'OPTIONS' })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toBe(
      'Range, If-Range, If-None-Match',
    )
    for (const range of ['bytes=0-3', 'bytes=999999-']) {
      const response = await open().fetch(CSV, { headers: { Range: range } })
      await response.arrayBuffer()
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect(response.headers.get('Access-Control-Expose-Headers')).toMatch(
        /^ETag, .*, Accept-Ranges, Content-Range$/,
      )
    }
  })

  it('comes whole when it cannot be read in parts, or If-Range names another version', async () => {
    await seedFiles()
    const etag = (await open().fetch(CSV, { method: 'HEAD' })).headers.get('ETag')!
    for (const Range of ['bytes=0-1,3-4', 'bytes=5-2', 'bytes=-', 'lines=1-2', 'bytes=a-b'])
      expect(await statusOf({ Range })).toBe(200)
    expect(await statusOf({ Range: 'bytes=0-3', 'If-Range': '"other"' })).toBe(200)
    expect(await statusOf({ Range: 'bytes=0-3', 'If-Range': etag })).toBe(206)
  })

  it.each([
    '/datos/compatibility/dolares',
    '/datos/cotizaciones.toString',
    '/datos/..%2Farchive',
    '/datos/cotizaciones.csv/',
  ])('%s is a 404', async (path) => {
    await seedFiles()
    const response = await open().fetch(path)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ error: expect.any(String) })
  })
})

it('any range is within the file, or none', () => {
  fc.assert(
    fc.property(
      fc.nat(1000),
      fc.oneof(fc.nat(1200).map(String), fc.constant('')),
      fc.oneof(fc.nat(1200).map(String), fc.constant('')),
      (size, from, to) => {
        const range = readRange(new Headers({ Range: `bytes=${from}-${to}` }), size, '"x"')
        if (range === null || range === 'unsatisfiable') return
        expect(range.first).toBeGreaterThanOrEqual(0)
        expect(range.last).toBeLessThan(size)
        expect(range.first).toBeLessThanOrEqual(range.last)
        if (from !== '') expect(range.first).toBe(Number(from))
      },
    ),
  )
})
