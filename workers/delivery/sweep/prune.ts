import type { Instant } from '../../../shared/argentine-time.ts'
import { PRUNE_CHUNK, pruneChunk } from '../db/prune.ts'
import { log } from '../../../shared/log.ts'

/** Chunks in one sweep: 2,000 rows a minute, far more than are made. */
export const CHUNKS = 4

/** Deletes rows past their seven days, with admission open or closed. */
export async function prune({ db, now }: { db: D1Database; now: () => Instant }): Promise<void> {
  let pruned = 0
  for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
    const deleted = await pruneChunk(db, now())
    pruned += deleted
    if (deleted < PRUNE_CHUNK) break
  }
  log('pruned', { rows: pruned })
}
