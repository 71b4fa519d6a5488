/** Walks the signed manifests of the open data, and says from when to when they hold. */
import type {
  RecordManifest,
  RecordOptions,
  RecordProblem,
  RecordReport,
  RewrittenDays,
} from './record-types.ts'
import { ApiError, request, requestBytes, type RequestOptions } from './request.ts'
import { webCrypto } from './web-crypto.ts'

const KEYS_PATH = '/.well-known/cotizaciones-keys.json'
/** A file of the open data has some megabytes. */
const FILE_TIMEOUT_MS = 60_000

interface Head {
  manifest: { url: string; sha256: string }
}

/** A manifest and the bytes that are signed. */
interface Link {
  manifest: RecordManifest
  body: Uint8Array<ArrayBuffer>
}

interface Jwk {
  kid: string
  x: string
}

export async function verifyRecord(
  options: RequestOptions,
  asked: RecordOptions = {},
): Promise<RecordReport> {
  const head = await headOf(options)
  const report = await new Walk(options, asked).from(head)
  if (report.holds) return report

  // A night that was published meanwhile takes the files of this one away.
  const now = await headOf(options)
  return now.manifest.sha256 === head.manifest.sha256 ? report : new Walk(options, asked).from(now)
}

const headOf = (options: RequestOptions) => request<Head>(options, { path: '/datos/archivos.json' })

class Walk {
  readonly #options: RequestOptions
  readonly #asked: RecordOptions
  readonly #problems: RecordProblem[] = []
  readonly #rewritten: RewrittenDays[] = []
  readonly #signed = new Set<string>()
  #keys: Jwk[] = []

  constructor(options: RequestOptions, asked: RecordOptions) {
    this.#options = { ...options, timeoutMs: Math.max(options.timeoutMs, FILE_TIMEOUT_MS) }
    this.#asked = asked
  }

  async from({ manifest: head }: Head): Promise<RecordReport> {
    this.#keys = (await request<{ keys: Jwk[] }>(this.#options, { path: KEYS_PATH })).keys
    let from: string | null = null
    let to: string | null = null
    let manifests = 0
    let unsigned = 0
    let sums: Map<string, string> | null = null
    let newer: RecordManifest | null = null
    let named: { url: string; sha256: string } | null = head

    while (named) {
      const link: Link | null = await this.#link(named, newer)
      if (!link) break
      const { manifest } = link
      manifests++
      if (manifest.key === null) unsigned++
      await this.#checkSignature(link, named.url)
      sums ??= await this.#checkFiles(manifest)
      this.#checkDays(manifest, sums)
      if (this.#problems.length === 0) {
        from = manifest.lastDay
        to ??= manifest.lastDay
      }
      if (this.#asked.since !== undefined && manifest.lastDay <= this.#asked.since) break
      newer = manifest
      named = manifest.previous
    }
    if (sums)
      for (const day of this.#asked.days ?? [])
        await this.#checkBytes(`${day}.csv`, `/datos/dias/${day}.csv`, sums.get(day))

    return {
      holds: this.#problems.length === 0,
      from,
      to,
      manifests,
      unsigned,
      keys: [...this.#signed],
      rewritten: this.#rewritten.toReversed(),
      problems: this.#problems,
    }
  }

  /** Null where the chain cannot be followed any further. */
  async #link(
    { url, sha256 }: { url: string; sha256: string },
    newer: RecordManifest | null,
  ): Promise<Link | null> {
    const body = await this.#checkBytes(nameOf(url), url, sha256)
    if (!body) return null

    const manifest = JSON.parse(new TextDecoder().decode(body)) as RecordManifest
    const isNext = newer === null || manifest.number === newer.number - 1
    if (isNext && (manifest.previous === null) === (manifest.number === 1))
      return { manifest, body }
    this.#problem('out_of_order', manifest.name)
    return null
  }

  async #checkSignature({ manifest: { name, key }, body }: Link, url: string): Promise<void> {
    const believed = this.#asked.keys
    if (key === null) {
      if (believed) this.#problem('unsigned', name)
      return
    }
    const jwk = this.#keys.find(({ kid }) => kid === key)
    const isKnown = jwk && (await thumbprint(jwk.x)) === key
    if (!isKnown || (believed && !believed.includes(key))) return this.#problem('unknown_key', name)

    const signature = await this.#bytes(`${url}.sig`)
    if (!signature) return this.#problem('missing', `${nameOf(url)}.sig`)
    if (!(await isSigned(jwk.x, new TextDecoder().decode(signature), body)))
      return this.#problem('wrong_signature', name)
    this.#signed.add(key)
  }

  /** Checks the files of the last night; the SHA-256 of each day's file, by their day. */
  async #checkFiles({ files }: RecordManifest): Promise<Map<string, string>> {
    let sums = ''
    for (const { name, url, sha256 } of files) {
      if (this.#asked.files === false && name !== 'dias.sha256') continue
      const bytes = await this.#checkBytes(name, url, sha256)
      if (name === 'dias.sha256' && bytes) sums = new TextDecoder().decode(bytes)
    }
    return new Map(
      [...sums.matchAll(/^([0-9a-f]{64}) {2}(.+)\.csv$/gm)].map(([, sum, day]) => [day!, sum!]),
    )
  }

  /** Each day of a manifest is as the last night has it, or a later one says that it is not. */
  #checkDays(manifest: RecordManifest, sums: ReadonlyMap<string, string>): void {
    const { days, rewritten, name, builtAt } = manifest
    for (const { date, sha256 } of days) {
      const isNamed = this.#rewritten.some(({ from, to }) => from <= date && date <= to)
      if (!isNamed && sums.get(date) !== sha256) this.#problem('unnamed_change', date)
    }
    const found = rewritten.map((run) => ({ ...run, manifest: name, builtAt }))
    this.#rewritten.push(...found.toReversed())
  }

  /** The bytes, where they are those that were named. */
  async #checkBytes(
    name: string,
    path: string,
    sha256: string | undefined,
  ): Promise<Uint8Array<ArrayBuffer> | null> {
    const bytes = await this.#bytes(path)
    if (!bytes) this.#problem('missing', name)
    else if ((await hexOf(bytes)) !== sha256) this.#problem('altered', name)
    else return bytes
    return null
  }

  /** Null when there is nothing there. */
  async #bytes(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
    try {
      return await requestBytes(this.#options, path)
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    }
  }

  #problem(kind: RecordProblem['kind'], name: string): void {
    this.#problems.push({ kind, name })
  }
}

function nameOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}

/** The name of a public key that nobody can give to another one (RFC 7638). */
async function thumbprint(x: string): Promise<string> {
  const members = new TextEncoder().encode(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)
  const digest = new Uint8Array(await (await webCrypto()).subtle.digest('SHA-256', members))
  return btoa(String.fromCharCode(...digest))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
}

async function isSigned(
  x: string,
  signature: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { subtle } = await webCrypto()
  const jwk = { kty: 'OKP', crv: 'Ed25519', x }
  try {
    const key = await subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify'])
    const bytes = Uint8Array.from(atob(signature.trim()), (letter) => letter.charCodeAt(0))
    return await subtle.verify('Ed25519', key, bytes, body)
  } catch (error) {
    // What is no base64 is no signature; a platform without Ed25519 must not call it wrong.
    if ((error as Error).name === 'NotSupportedError') throw error
    return false
  }
}

async function hexOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await (await webCrypto()).subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
