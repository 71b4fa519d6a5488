import { addDays, type Day, type Instant } from '../../shared/argentine-time.ts'
import { type Manifest, MANIFEST_KEY } from '../../shared/board/archive.ts'
import { readStoredManifest, type RecordManifest } from '../../shared/board/record.ts'
import { sha256 } from '../../shared/crypto/sha256.ts'
import { rebuildCandles } from '../../shared/db/quotes/candles.ts'
import { findPairByKey } from '../../shared/market/catalog.ts'
import { runArchive } from '../../workers/scraper/nightly/archive.ts'
import { env } from './env.ts'
import { art } from './instant.ts'
import { seedPoints } from './points.ts'

/** Ed25519 private keys as `RECORD_SIGNING_KEY` has them, each by its seed's byte. */
export function recordKey(byte: number): string {
  const der = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]
  return btoa(String.fromCharCode(...der, ...Array.from({ length: 32 }, () => byte)))
}

export const KEY = recordKey(7)

/** Points of blue, `[wall clock, buy, sell]`, with the candles of their days. */
export async function seedDays(
  ...points: [at: string, buy: number, sell: number][]
): Promise<void> {
  await seedPoints('usd/blue', ...points)
  const days = points.map(([at]) => at.slice(0, 10)).toSorted()
  await rebuildCandles(env.DB, findPairByKey('usd/blue')!, days[0]!, days.at(-1)!)
}

/** Five minutes after the end of a day. */
export function nightAfter(day: Day): Instant {
  return art(`${addDays(day, 1)} 00:05`)
}

/** Runs the archive as of an instant, with bindings of one's own. */
export function build(now: Instant, bindings: Partial<Parameters<typeof runArchive>[0]> = {}) {
  return runArchive({ ...env, RECORD_SIGNING_KEY: KEY, ...bindings }, { now: () => now })
}

/** What KV shows, without its cache. */
export async function published(): Promise<Manifest> {
  return JSON.parse((await env.BOARD.get(MANIFEST_KEY))!) as Manifest
}

/** Every manifest from the last to the first, by the names that each has for the one before. */
export async function chain(): Promise<(RecordManifest & { sum: string })[]> {
  const all: (RecordManifest & { sum: string })[] = []
  let name = (await published()).record?.name
  while (name !== undefined) {
    const { body } = (await readStoredManifest(env.BOARD, name))!
    const manifest = JSON.parse(body) as RecordManifest
    all.push({ ...manifest, sum: await sha256(body) })
    name = manifest.previous?.name
  }
  return all
}
