import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SECOND_MS } from '../../../shared/argentine-time.ts'
import type { Mode } from '../../../shared/board/board.ts'
import { backfill, type Failure, pointsMade } from '../backfill/backfill.ts'
import { fetchDocuments } from '../backfill/fetch-documents.ts'
import { importPast } from '../demo-market/past.ts'

interface PastOptions {
  db: D1Database
  stateDir: string
  mode: Mode
  warn: (line: string) => void
  /** Replaces the public archives. */
  archives?: string
}

/**
 * Gives a new state its history. A demo state gets it here, in a second or two. For a live state,
 * `fill` fetches it from public archives while the service already answers.
 *
 * Call it before the first cycle, because a state without points counts as new. A file stays in the
 * folder until the history is complete, so that a start after a kill continues.
 */
export async function openPast({ db, stateDir, mode, warn, archives }: PastOptions) {
  const note = join(stateDir, 'backfill-begun')
  const isNew = (await db.prepare('select 1 from points limit 1').first()) === null
  if (isNew && mode !== 'upstream') writeFileSync(note, '', { mode: 0o600 })
  const begin = performance.now()
  const report = (points: number, missing = '') =>
    warn(`backfill: ${points} points in ${since(begin)}${missing}`)
  if (mode === 'demo' && existsSync(note)) {
    report(await importPast(db, Date.now()))
    rmSync(note)
  }

  return {
    /**
     * Fetches what is missing and lets a cycle publish what follows from it. After `signal` aborts,
     * the next start on the same state continues.
     */
    async fill(runCycle: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
      if (!existsSync(note)) return

      warn('backfill: fetching history from the public archives (--no-backfill leaves it out)')
      try {
        const { filled, failures } = await backfill({
          db,
          get: fetchDocuments({ base: archives ?? null, signal }),
          now: () => Date.now(),
          signal,
        })
        report(pointsMade(filled), missingText(failures))
        if (failures.length === 0) rmSync(note, { force: true })
        await runCycle()
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
  }
}

function missingText(failures: readonly Failure[]): string {
  if (failures.length === 0) return ''
  const reasons = [...new Set(failures.map(({ reason }) => reason))]
  return `; ${failures.length} series are missing (${reasons.join(', ')}): npm run admin -- backfill goes on`
}

function since(begin: number): string {
  return `${((performance.now() - begin) / SECOND_MS).toFixed(1)} s`
}
