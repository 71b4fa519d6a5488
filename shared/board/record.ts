/**
 * The record: each build of the nightly files leaves a manifest that names the one before it and every
 * file by their SHA-256. It is signed as the bytes that are served, and stays for ever.
 */
import type { Day } from '../argentine-time.ts'
import type { Mode } from './board.ts'

/** The version of the manifest's form. */
export const RECORD_VERSION = 1

export const KEYS_PATH = '/.well-known/cotizaciones-keys.json'

/** The file with the SHA-256 of every day's file, one a line, as `sha256sum --check` reads it. */
export const DAY_SUMS = 'dias.sha256'

export function manifestPath(name: string): string {
  return `/datos/manifiestos/${name}.json`
}

export function dayFilePath(day: Day): string {
  return `/datos/dias/${day}.csv`
}

/** `2026-11-22`, and `2026-11-22.2` for the second manifest that ends on that day. */
export const MANIFEST_NAME = /^\d{4}-\d{2}-\d{2}(\.[1-9]\d{0,5})?$/

/** The signed document; instants as `…Z`, SHA-256 as lower-case hex. */
export interface RecordManifest {
  version: typeof RECORD_VERSION
  number: number
  name: string
  firstDay: Day
  lastDay: Day
  builtAt: string
  mode: Mode
  license: 'CC0-1.0'
  /** The `kid` of the key that signs it; null when it is not signed. */
  key: string | null
  /** Null for the first. */
  previous: { name: string; url: string; sha256: string } | null
  files: { name: string; url: string; bytes: number; rows: number; sha256: string }[]
  /** The days that closed since the manifest before, with the SHA-256 of their files. */
  days: { date: Day; sha256: string }[]
  /** The days of earlier manifests whose file changed. */
  rewritten: RewrittenDays[]
  /** The corrections made by hand since the manifest before. */
  corrections: RecordedCorrection[]
}

/** Days in a row that were rewritten for the same reasons, both ends inclusive. */
export interface RewrittenDays {
  from: Day
  to: Day
  /** The reasons of the corrections that changed them; none when an import or a backfill did. */
  reasons: string[]
}

export interface RecordedCorrection {
  currency: string
  origin: string
  at: string
  action: 'replace' | 'remove'
  before: { buy: number; sell: number }
  /** Null when the point was removed. */
  after: { buy: number; sell: number } | null
  reason: string
  madeAt: string
}

/** A public key as the list of keys prints it: a JWK with the same key as PEM. */
export interface RecordKey {
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
  kid: string
  use: 'sig'
  alg: 'EdDSA'
  pem: string
  /** When it signed for the first time. */
  firstUsedAt: string
}

/** What KV keeps of a manifest. */
export interface StoredManifest {
  body: string
  /** Of the body's bytes, base64; null when it is not signed. */
  signature: string | null
}

export function storedManifestKey(name: string): string {
  return `manifest:${name}`
}

/** Null when KV has none of that name. */
export async function readStoredManifest(
  kv: KVNamespace,
  name: string,
): Promise<StoredManifest | null> {
  return kv.get<StoredManifest>(storedManifestKey(name), 'json')
}
