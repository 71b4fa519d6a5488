import type { Instant } from '../../shared/argentine-time.ts'
import { type Manifest, MANIFEST_KEY } from '../../shared/board/nightly-files.ts'
import type { Mode } from '../../shared/board/board.ts'
import { setModeStatement } from '../../shared/db/quotes/service-mode.ts'
import { insertRows } from '../../tools/prove/harness/rows.ts'
import { updateFiles } from '../../workers/scraper/nightly/nightly-files.ts'
import { seedCloses } from './points.ts'
import { env } from './env.ts'
import { seedBoard } from './board.ts'

/** Makes the nightly files when a cycle has just been recorded. */
export async function buildFiles(at: Instant, mode: Mode = 'live') {
  await recordCycleAt(env.DB, at, mode)
  return updateFiles(env, () => at)
}

/** A board, and the nightly files of two closes of one pair. */
export async function seedFiles(at: Instant, mode: Mode): Promise<void> {
  await seedCloses('usd/blue', ['2026-02-28', 1410.5, 1430.25], ['2026-03-02', 1420, 1440])
  await seedBoard(at, { mode })
  await buildFiles(at, mode)
}

/** The manifest in KV, without KV's cache. */
export async function published(): Promise<Manifest> {
  return JSON.parse((await env.BOARD.get(MANIFEST_KEY))!) as Manifest
}

/** The part of a recorded cycle that the nightly files need: its instant and mode. */
export async function recordCycleAt(db: D1Database, at: Instant, mode: Mode): Promise<void> {
  const row = insertRows(
    'scraper_state',
    { cycle: '?' },
    'where true on conflict (id) do update set cycle = excluded.cycle',
  )
  const summary = { at, everySeconds: 300, anySourceAnswered: true }
  await db.batch([setModeStatement(db, mode), db.prepare(row).bind(JSON.stringify(summary))])
}
