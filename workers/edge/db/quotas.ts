/** The gate: whether a key may pass now, checked and counted in one round trip. */
import { argentineDay, DAY_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { KEY_QUOTA, MANAGEMENT_QUOTA } from '../../../shared/limits.ts'

export interface Quota {
  limit: number
  remaining: number
  /** When `remaining` is whole again. */
  resetsAt: Instant
}

export type Admission =
  | { admitted: true; accountId: string; keyId: string; quotas: Quota[] }
  | { admitted: false; refusal: 'unknown_key' }
  | { admitted: false; refusal: QuotaRefusal; quota: Quota }

export type QuotaRefusal = 'key_quota' | 'management_quota' | 'daily_budget'

interface Request {
  /** SHA-256 of the key (`hashKey`). */
  hash: string
  /** Whether the management quota applies as well. */
  management: boolean
  now: Instant
  /** Private requests accepted per UTC day, of all keys together. */
  dailyBudget: number
}

/**
 * Checks and counts a request in one round trip, which is one transaction. The key is counted only if
 * key, minute, management and day all allow it, the day only if the key was counted; the last
 * statement reads the outcome. A refusal writes nothing. Reads 5 rows, writes 2.
 */
export async function admit(
  db: D1Database,
  { hash, management, now, dailyBudget }: Request,
): Promise<Admission> {
  const minute = Math.floor(now / MINUTE_MS)
  const day = Math.floor(now / DAY_MS)
  const managed = management ? 1 : 0

  const results = await db.batch<Counted>([
    db
      .prepare(COUNT_FOR_KEY)
      .bind(
        hash,
        minute,
        managed,
        KEY_QUOTA,
        MANAGEMENT_QUOTA,
        day,
        dailyBudget,
        argentineDay(now),
      ),
    db.prepare(COUNT_FOR_DAY).bind(day),
    db.prepare(COUNTED).bind(hash, minute, day),
  ])

  return readCounted(results[2]!.results[0], { management, dailyBudget })
}

/**
 * Whether a stored window is the current one. The clocks of isolates differ a little: an isolate
 * that is behind counts in the window that another has begun. A window further ahead comes from a
 * wrong clock and is dropped.
 */
const IN_WINDOW = (stored: string, own: string) => `${stored} in (${own}, ${own} + 1)`

const COUNT_FOR_KEY = `
  update api_keys set
    quota_used = iif(${IN_WINDOW('quota_minute', '?2')}, quota_used, 0) + 1,
    quota_managed = iif(${IN_WINDOW('quota_minute', '?2')}, quota_managed, 0) + ?3,
    quota_minute = iif(${IN_WINDOW('quota_minute', '?2')}, quota_minute, ?2),
    last_used_day = ?8
  where hash = ?1
    and (not ${IN_WINDOW('quota_minute', '?2')}
      or (quota_used < ?4 and (?3 = 0 or quota_managed < ?5)))
    and coalesce((select iif(${IN_WINDOW('day', '?6')}, used, 0)
      from private_budget where id = 1), 0) < ?7`

/** Counts only if the statement before it did: a refused or unknown key writes nothing. */
const COUNT_FOR_DAY = `
  insert into private_budget (id, day, used) select 1, ?1, 1 where changes() = 1
  on conflict (id) do update set
    used = iif(${IN_WINDOW('day', '?1')}, used, 0) + 1,
    day = iif(${IN_WINDOW('day', '?1')}, day, excluded.day)`

const COUNTED = `
  select api_keys.id as keyId, account_id as accountId,
    changes() = 1 as admitted,
    iif(${IN_WINDOW('quota_minute', '?2')}, quota_minute, ?2) as minute,
    iif(${IN_WINDOW('quota_minute', '?2')}, quota_used, 0) as keyUsed,
    iif(${IN_WINDOW('quota_minute', '?2')}, quota_managed, 0) as managementUsed,
    iif(${IN_WINDOW('day', '?3')}, day, ?3) as day,
    iif(${IN_WINDOW('day', '?3')}, used, 0) as dayUsed
  from api_keys left join private_budget on private_budget.id = 1
  where hash = ?1`

interface Counted {
  keyId: string
  accountId: string
  admitted: 0 | 1
  minute: number
  keyUsed: number
  managementUsed: number
  day: number
  dayUsed: number
}

/** The refusal names the first limit that is used up (decision 15: the gate's order). */
function readCounted(
  counted: Counted | undefined,
  { management, dailyBudget }: { management: boolean; dailyBudget: number },
): Admission {
  if (!counted) return { admitted: false, refusal: 'unknown_key' }

  const minuteEnd = (counted.minute + 1) * MINUTE_MS
  const key = quota(KEY_QUOTA, counted.keyUsed, minuteEnd)
  const managed = quota(MANAGEMENT_QUOTA, counted.managementUsed, minuteEnd)
  const budget = quota(dailyBudget, counted.dayUsed, (counted.day + 1) * DAY_MS)

  if (counted.admitted)
    return {
      admitted: true,
      accountId: counted.accountId,
      keyId: counted.keyId,
      quotas: management ? [key, managed, budget] : [key, budget],
    }
  if (key.remaining === 0) return { admitted: false, refusal: 'key_quota', quota: key }
  if (management && managed.remaining === 0)
    return { admitted: false, refusal: 'management_quota', quota: managed }
  return { admitted: false, refusal: 'daily_budget', quota: { ...budget, remaining: 0 } }
}

function quota(limit: number, used: number, resetsAt: Instant): Quota {
  return { limit, remaining: Math.max(0, limit - used), resetsAt }
}
