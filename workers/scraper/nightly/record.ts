/** The manifest of a build: its days, and its append to the chain. */
import { addDays, type Day, formatUtc, type Instant } from '../../../shared/argentine-time.ts'
import { isOffered, type Manifest } from '../../../shared/board/archive.ts'
import {
  manifestPath,
  RECORD_VERSION,
  type RecordKey,
  type RecordManifest,
  type RewrittenDays,
} from '../../../shared/board/record.ts'
import { fromBase64 } from '../../../shared/crypto/base64.ts'
import { sha256 } from '../../../shared/crypto/sha256.ts'
import { readDayFiles } from '../../../shared/db/quotes/day-files.ts'
import {
  appendManifest,
  correctionsAfter,
  lastCorrectionId,
  type LastManifest,
  type ReachingCorrection,
  readRecorded,
  type RecordedState,
  type StoredKey,
} from '../db/record.ts'
import type { Signer } from './sign.ts'

/** What a build knows of its days before its files are made. */
export interface RecordDraft {
  firstDay: Day
  day: Day
  revision: number
  last: LastManifest | null
  recorded: RecordedState
  /** Every day from the first to the last, with the SHA-256 of its file; ascending. */
  days: Map<Day, string>
  corrections: ReachingCorrection[]
  lastCorrection: number
}

/**
 * Reads the days of a build: those that closed since the last manifest, or all when the past
 * changed meanwhile.
 */
export async function draftRecord(
  db: D1Database,
  { firstDay, day, revision, last }: Pick<RecordDraft, 'firstDay' | 'day' | 'revision' | 'last'>,
): Promise<RecordDraft> {
  const recorded = await readRecorded(db, day)
  const isContinued = last !== null && last.revision === revision && last.day <= day
  const known = isContinued ? [...recorded.days].filter(([of]) => of >= firstDay && of <= day) : []
  const days = new Map(known)
  for await (const file of readDayFiles(db, isContinued ? addDays(last.day, 1) : firstDay, day))
    days.set(file.day, await sha256(file.text))

  const corrections = last ? await correctionsAfter(db, last.lastCorrection) : []
  const lastCorrection = last
    ? (corrections.at(-1)?.id ?? last.lastCorrection)
    : await lastCorrectionId(db)
  const ascending = [...days].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const draft = { firstDay, day, revision, last, recorded, corrections, lastCorrection }
  return { ...draft, days: new Map(ascending) }
}

/** The SHA-256 of each day's file, one a line, as `sha256sum --check` reads it. */
export function daySums({ days }: RecordDraft): string {
  return [...days].map(([day, sum]) => `${sum}  ${day}.csv\n`).join('')
}

/**
 * Signs and writes the manifest of a draft and its files. Returns the document for KV, or null when
 * another build was first or the past changed since.
 */
export async function appendRecord(
  db: D1Database,
  draft: RecordDraft,
  shown: Omit<Manifest, 'record' | 'keys'>,
  signer: Signer | undefined,
): Promise<LastManifest | null> {
  const { day, firstDay, revision, last, recorded } = draft
  const number = (last?.number ?? 0) + 1
  const name = recorded.ofDay === 0 ? day : `${day}.${recorded.ofDay + 1}`
  const manifest: RecordManifest = {
    version: RECORD_VERSION,
    number,
    name,
    firstDay,
    lastDay: day,
    builtAt: formatUtc(shown.builtAt),
    mode: shown.mode,
    license: 'CC0-1.0',
    key: signer?.id ?? null,
    previous: last && { name: last.name, url: manifestPath(last.name), sha256: last.sha256 },
    files: shown.files.filter(isOffered).map(({ name, bytes, rows, sha256 }) => ({
      name,
      url: `/datos/${name}`,
      bytes,
      rows,
      sha256,
    })),
    days: closedSince(draft),
    rewritten: rewrittenDays(draft),
    corrections: draft.corrections.map(({ correction }) => correction),
  }
  const body = `${JSON.stringify(manifest, null, 2)}\n`
  const sum = await sha256(body)
  const key = signer
    ? { id: signer.id, publicKey: signer.publicKey, firstUsedAt: shown.builtAt }
    : null
  const isNew = key !== null && !recorded.keys.some(({ id }) => id === key.id)
  const published: Manifest = {
    ...shown,
    record: { number, name, sha256: sum, key: manifest.key },
    keys: [...recorded.keys, ...(isNew ? [key] : [])].map(printKey),
  }
  const next: LastManifest = {
    number,
    name,
    day,
    revision,
    lastCorrection: draft.lastCorrection,
    builtAt: shown.builtAt,
    body,
    sha256: sum,
    signature: signer ? await signer.sign(body) : null,
    published: JSON.stringify(published),
  }
  const changed = [...draft.days].filter(([of, sum]) => recorded.days.get(of) !== sum)
  return (await appendManifest(db, { ...next, firstDay, changed, key })) ? next : null
}

/**
 * The first manifest names only its last day, because earlier days closed before the record began.
 */
function closedSince({ last, day, days }: RecordDraft): RecordManifest['days'] {
  const from = last ? addDays(last.day, 1) : day
  return [...days].filter(([date]) => date >= from).map(([date, sha256]) => ({ date, sha256 }))
}

/** The recorded days whose file changed or is gone, in runs with the same reasons. */
function rewrittenDays({ days, recorded, corrections }: RecordDraft): RewrittenDays[] {
  const runs: RewrittenDays[] = []
  for (const day of [...recorded.days.keys()].toSorted()) {
    if (recorded.days.get(day) === days.get(day)) continue

    const reaching = corrections.filter(({ from, to }) => from <= day && day <= to)
    const reasons = [...new Set(reaching.map(({ correction }) => correction.reason))]
    const run = runs.at(-1)
    if (run && addDays(run.to, 1) === day && run.reasons.join('\n') === reasons.join('\n'))
      run.to = day
    else runs.push({ from: day, to: day, reasons })
  }
  return runs
}

/** The bytes before the 32 of a public key in a PEM file (RFC 8410). */
const SPKI = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]

function printKey({ id, publicKey, firstUsedAt }: StoredKey): RecordKey {
  const der = String.fromCharCode(...SPKI, ...fromBase64(publicKey)!)
  return {
    kty: 'OKP',
    crv: 'Ed25519',
    x: publicKey,
    kid: id,
    use: 'sig',
    alg: 'EdDSA',
    pem: `-----BEGIN PUBLIC KEY-----\n${btoa(der)}\n-----END PUBLIC KEY-----\n`,
    firstUsedAt: formatUtc(firstUsedAt satisfies Instant),
  }
}
