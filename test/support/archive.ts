import type { Instant } from '../../shared/argentine-time.ts'
import { type Manifest, MANIFEST_KEY } from '../../shared/board/archive.ts'
import type { Mode } from '../../shared/board/board.ts'
import { recordCycleAt } from '../../tools/prove/harness/recorded-cycle.ts'
import { runArchive } from '../../workers/scraper/nightly/archive.ts'
import { env } from './env.ts'

/** Makes the nightly files when a cycle has just been recorded. */
export async function buildFiles(at: Instant, mode: Mode = 'live') {
  await recordCycleAt(env.DB, at, mode)
  return runArchive(env, { now: () => at })
}

/** What KV shows, without its cache. */
export async function published(): Promise<Manifest> {
  return JSON.parse((await env.BOARD.get(MANIFEST_KEY))!) as Manifest
}
