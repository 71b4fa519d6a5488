/** `/datos/NAME`: the nightly files from KV, a whole file or a part. */
import type { Context } from 'hono'
import { listFiles, listSums, readFile } from '../../../shared/api/nightly-files.ts'
import {
  type NightlyFile,
  type Manifest,
  openFile,
  readFiles,
} from '../../../shared/board/nightly-files.ts'
import { formatUtc, type Instant } from '../../../shared/argentine-time.ts'
import type { EdgeContext } from '../context.ts'
import { unavailable } from '../errors.ts'
import { notFound } from '../../../shared/http-error.ts'
import { JSON_TYPE, matchesEtag, modeHeader, strongEtag } from '../http/answer.ts'
import { type App, route } from '../http/route.ts'
import { FILES_UNPUBLISHED, RANGE_OUTSIDE } from '../../../shared/sentences.ts'

/** The time between two runs of `CRONS.files`: a client that waits finds the files. */
export const BUILD_RETRY_SECONDS = 600

/** Caches revalidate their copy each time, so that they never mix files of two nights. */
const VALIDATED = 'public, no-cache'

const TYPES = {
  'cotizaciones.csv': 'text/csv; charset=utf-8',
  'cotizaciones.parquet': 'application/vnd.apache.parquet',
}

export function fileRoutes(app: App): void {
  route(app, listFiles, [], async (c) => {
    const manifest = await manifestOf(c)
    return respondOf(manifest, c, JSON.stringify(describe(manifest)), JSON_TYPE)
  })
  route(app, listSums, [], async (c) => {
    const manifest = await manifestOf(c)
    const files = manifest.files.filter(isOffered)
    const sums = files.map(({ sha256, name }) => `${sha256}  ${name}\n`).join('')
    return respondOf(manifest, c, sums, 'text/plain; charset=utf-8')
  })
  route(app, readFile, [], async (c, { params }) => {
    const manifest = await manifestOf(c)
    const file = manifest.files.find(({ name }) => name === params.name)
    if (!file) throw notFound()
    return respondFile(c, manifest, file, TYPES[params.name])
  })
}

function describe(manifest: Manifest) {
  const { firstDay, day, builtAt, mode } = manifest
  return {
    firstDay,
    lastDay: day,
    builtAt: formatUtc(builtAt),
    mode,
    license: 'CC0-1.0',
    files: manifest.files.filter(isOffered).map(({ name, bytes, rows, sha256 }) => ({
      name,
      url: `/datos/${name}`,
      bytes,
      rows,
      sha256,
    })),
  }
}

async function manifestOf(c: Context<EdgeContext>): Promise<Manifest> {
  const manifest = await readFiles(c.env.BOARD)
  if (!manifest) throw unavailable(FILES_UNPUBLISHED, BUILD_RETRY_SECONDS)
  return manifest
}

/** Responds with a text about the nightly files: their list or their sums. */
function respondOf(
  manifest: Manifest,
  { req }: Context<EdgeContext>,
  body: string,
  contentType: string,
): Response {
  const headers = validatedHeaders(manifest, strongEtag(body))
  if (isUnchanged(req.raw.headers, headers)) return new Response(null, { status: 304, headers })

  headers.set('Content-Type', contentType)
  return new Response(req.raw.method === 'HEAD' ? null : body, { headers })
}

/** The headers of the 200 and the 304 of a nightly file, with the mode. */
function validatedHeaders({ builtAt, mode }: Manifest, etag: string): Headers {
  return new Headers({
    'Cache-Control': VALIDATED,
    ETag: etag,
    'Last-Modified': new Date(builtAt).toUTCString(),
    ...modeHeader(mode),
  })
}

/**
 * Whether the client has this version: `If-Modified-Since` counts only without `If-None-Match` (RFC
 * 9110, 13.1.3).
 */
function isUnchanged(request: Headers, current: Headers): boolean {
  const etags = request.get('If-None-Match')
  if (etags !== null) return matchesEtag(etags, current.get('ETag')!)

  const since = parseHttpDate(request.get('If-Modified-Since'))
  return since !== null && Date.parse(current.get('Last-Modified')!) <= since
}

/** The three forms of an HTTP date (RFC 9110, 5.6.7); null for any other text, which is ignored. */
function parseHttpDate(text: string | null): Instant | null {
  if (!/^[A-Z][a-z]+,? .* \d\d:\d\d:\d\d( GMT| \d{4})$/.test(text ?? '')) return null
  const instant = Date.parse(text!.endsWith(' GMT') ? text! : `${text} GMT`)
  return Number.isNaN(instant) ? null : instant
}

async function respondFile(
  c: Context<EdgeContext>,
  manifest: Manifest,
  file: NightlyFile,
  type: string,
): Promise<Response> {
  const { name, bytes, sha256 } = file
  const etag = `"${sha256}"`
  const headers = validatedHeaders(manifest, etag)
  headers.set('Accept-Ranges', 'bytes')
  if (isUnchanged(c.req.raw.headers, headers)) return new Response(null, { status: 304, headers })

  // Only GET has parts (RFC 9110, 14.2).
  const isHead = c.req.raw.method === 'HEAD'
  const range = isHead ? null : readRange(c.req.raw.headers, bytes, headers)
  if (range === 'unsatisfiable') {
    headers.set('Content-Range', `bytes */${bytes}`)
    headers.set('Cache-Control', 'no-store')
    return c.json({ error: RANGE_OUTSIDE }, 416, Object.fromEntries(headers))
  }
  headers.set('Content-Type', type)
  headers.set('Content-Disposition', `attachment; filename="${name}"`)
  const { first, last } = range ?? { first: 0, last: bytes - 1 }
  headers.set('Content-Length', String(last - first + 1))
  if (range) headers.set('Content-Range', `bytes ${first}-${last}/${bytes}`)
  const status = range ? 206 : 200
  if (isHead) return new Response(null, { status, headers })

  const stored = await openFile(c.env.BOARD, file)
  if (!stored) throw unavailable(FILES_UNPUBLISHED, BUILD_RETRY_SECONDS)
  return new Response(withLength(stored, { first, last }, range !== null), { status, headers })
}

/** A part of the stream, read at the client's pace. The runtime sends the length of the part. */
function withLength(
  stored: ReadableStream<Uint8Array>,
  { first, last }: ByteRange,
  isPart: boolean,
): ReadableStream {
  const bytes = isPart ? part(stored, first, last) : stored
  return bytes.pipeThrough(new FixedLengthStream(last - first + 1))
}

function part(stored: ReadableStream<Uint8Array>, first: number, last: number) {
  const reader = stored.getReader()
  let at = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return controller.close()

        const from = Math.max(0, first - at)
        const to = Math.min(value.length, last + 1 - at)
        at += value.length
        if (from < to) controller.enqueue(value.subarray(from, to))
        if (at > last) {
          controller.close()
          return reader.cancel()
        }
        if (from < to) return
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** A part of a file: its first and last byte, inclusive. */
interface ByteRange {
  first: number
  last: number
}

/**
 * The range that a request names (RFC 9110, section 14). Null for the whole file: with no range,
 * several, a malformed range, or an `If-Range` that names another version.
 */
function readRange(
  headers: Headers,
  size: number,
  current: Headers,
): ByteRange | 'unsatisfiable' | null {
  const ifRange = headers.get('If-Range')
  const isVersion = ['ETag', 'Last-Modified'].some((name) => current.get(name) === ifRange)
  if (ifRange !== null && !isVersion) return null

  const match = /^bytes=(\d*)-(\d*)$/.exec(headers.get('Range')?.replaceAll(' ', '') ?? '')
  const [, from = '', to = ''] = match ?? []
  if (from === '' && to === '') return null

  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 }
  }
  if (to !== '' && Number(to) < Number(from)) return null
  if (Number(from) >= size) return 'unsatisfiable'
  return { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}

/**
 * Whether a file can be downloaded as `/datos/NAME`. Files named `compatibility/…` cannot: they are
 * parts of other responses.
 */
function isOffered({ name }: Pick<NightlyFile, 'name'>): boolean {
  return !name.includes('/')
}
