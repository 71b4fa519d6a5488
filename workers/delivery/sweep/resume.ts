import { listOwing, resumeStatements } from '../../../shared/db/deliveries/owed-syncs.ts'
import type { Instant } from '../../../shared/argentine-time.ts'
import { enqueue, type EnqueueDeps } from '../../../shared/webhooks/enqueue.ts'
import type { Budget } from './budget.ts'
import { log } from '../../../shared/log.ts'

export interface ResumeDeps extends EnqueueDeps {
  db: D1Database
  now: () => Instant
  sleep: (ms: number) => Promise<void>
  /** Most deliveries accepted and not ended. */
  capacity: number
}

/** Webhooks listed at once: 36 bytes each, and about what one sweep resumes. */
const LISTED = 5000

/** Queries of the list. */
const QUERIES_OF_LIST = 3

/** Webhooks resumed in one transaction, so that others use the database in between. */
const RESUMED_AT_ONCE = 250

/** How often free capacity is looked for in vain, and the pause between two looks. */
const LOOKS = 5
const LOOK_MS = 1000

/**
 * Makes the syncs that are owed and resumes suspended webhooks with one, as far as there is capacity.
 * Capacity that its deliveries give back goes to the next ones. Returns whether another invocation has
 * to go on.
 */
export async function resume(deps: ResumeDeps, budget: Budget): Promise<boolean> {
  const { db, capacity, sleep } = deps
  if (budget.isSpent) return true

  let syncs = 0
  for (let looks = 0; looks < LOOKS && !budget.isSpent;) {
    const { free, ids, values } = await listOwing(db, capacity, LISTED)
    budget.count(QUERIES_OF_LIST)
    const made = await resumeListed(deps, ids, values, budget)
    syncs += made

    const wereAllListed = ids.length < Math.min(free, LISTED)
    if (wereAllListed || syncs === 0) break
    looks = made > 0 ? 0 : looks + 1
    if (ids.length < LISTED) await sleep(LOOK_MS)
  }
  if (syncs > 0) log('syncs_made', { syncs })
  return budget.isSpent && syncs > 0
}

/** Returns how many syncs it made. */
async function resumeListed(
  deps: ResumeDeps,
  ids: readonly string[],
  values: D1Result,
  budget: Budget,
): Promise<number> {
  const { db, now, capacity } = deps
  let made = 0
  for (let start = 0; start < ids.length && !budget.isSpent; start += RESUMED_AT_ONCE) {
    const some = ids.slice(start, start + RESUMED_AT_ONCE)
    const at = now()
    const [, inserted] = (await db.batch(
      budget.spend(resumeStatements(db, some, { now: at, capacity, values })),
    )) as D1Result<{ id: number }>[]
    const rows = inserted!.results.map(({ id }) => ({ id, at }))
    made += rows.length
    await enqueue(deps, rows)
  }
  return made
}
