import { listOwing, resumeStatements } from '../../../shared/db/deliveries/owed-syncs.ts'
import { announce, type AnnounceDeps } from '../../../shared/webhooks/enqueue.ts'
import type { Budget } from './budget.ts'
import { log } from '../../../shared/log.ts'

export interface ResumeDeps extends AnnounceDeps {
  db: D1Database
  /** Most deliveries accepted and not ended. */
  capacity: number
}

/** Webhooks listed at once: 36 bytes each, and a sweep makes about as many syncs. */
const LISTED = 5000

/** What listing them asks. */
const QUERIES_OF_LIST = 2

/** Webhooks resumed in one transaction: others have the database in between. */
const RESUMED_AT_ONCE = 250

/** How often, and after how long, it is asked in vain whether there is room again. */
const LOOKS = 5
const LOOK_MS = 1000

/**
 * Makes the syncs that are owed, and lets suspended webhooks go on with one, as many as there is
 * room for; while the deliveries that it made end, their room goes to the next. Returns whether
 * there is more to do that only another invocation can.
 */
export async function resume(deps: ResumeDeps, budget: Budget): Promise<boolean> {
  const { db, capacity, sleep } = deps
  if (budget.isSpent) return true

  let syncs = 0
  for (let looks = 0; looks < LOOKS && !budget.isSpent;) {
    const { room, ids } = await listOwing(db, capacity, LISTED)
    budget.count(QUERIES_OF_LIST)
    const made = await resumeListed(deps, ids, budget)
    syncs += made

    const wereAllListed = ids.length < Math.min(room, LISTED)
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
  budget: Budget,
): Promise<number> {
  const { db, now, capacity } = deps
  let made = 0
  for (let start = 0; start < ids.length && !budget.isSpent; start += RESUMED_AT_ONCE) {
    const some = ids.slice(start, start + RESUMED_AT_ONCE)
    const at = now()
    const [, inserted] = (await db.batch(
      budget.spend(resumeStatements(db, some, { now: at, capacity })),
    )) as D1Result<{ id: number }>[]
    const rows = inserted!.results.map(({ id }) => ({ id, at }))
    made += rows.length
    await announce(deps, rows)
  }
  return made
}
