import type { Instant } from '../../../../shared/argentine-time.ts'
import type { CycleSummary } from '../../../../shared/db/quotes/cycle-record.ts'
import type { Keyring } from '../../../../shared/crypto/keyring.ts'
import { findRunning } from '../../local/running.ts'
import type { AdminContext } from '../command.ts'
import type { Scope } from './check.ts'

/** Accounts whose deliveries one query walks: five webhooks each, a week of changes. */
const PAGE = 20

export async function openScope(
  { db, kv, now, remote, stateDir }: AdminContext,
  { since, keyring }: { since: Instant; keyring: Keyring | null },
): Promise<Scope> {
  const at = now()
  const isWorking = remote || (await findRunning(stateDir)) !== null
  const asOf = isWorking ? at : ((await lastCycle(db)) ?? at)
  return { db, kv, now: at, asOf, since, keyring, pages: await accountPages(db) }
}

async function lastCycle(db: D1Database): Promise<Instant | null> {
  const row = await db.prepare('select cycle from scraper_state').first<{ cycle: string }>()
  return row ? ((JSON.parse(row.cycle) as CycleSummary | null)?.at ?? null) : null
}

/** Every account that has webhooks, and the system destination’s. */
async function accountPages(db: D1Database): Promise<string[]> {
  const { results } = await db
    .prepare('select distinct account_id as id from subscriptions order by 1')
    .all<{ id: string }>()
  const ids = [...results.map(({ id }) => id), 'system']

  return Array.from({ length: Math.ceil(ids.length / PAGE) }, (_, index) =>
    JSON.stringify(ids.slice(index * PAGE, (index + 1) * PAGE)),
  )
}
