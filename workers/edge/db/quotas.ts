/** Checks whether a key may make a request now, and counts the request. */
import { argentineDay, DAY_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { namedBatch, type Statement } from '../../../shared/db/named-batch.ts'
import { KEY_QUOTA, MANAGEMENT_QUOTA } from '../../../shared/limits.ts'

export interface Quota {
  limit: number
  remaining: number
  /** When `remaining` is the full limit again. */
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
 * Checks and counts a request in one round trip, which is one transaction. The key is counted only
 * if key, minute, management and day all allow it, the day only if the key was counted; the last
 * statement reads the outcome. A refusal writes nothing. Reads 5 rows, writes 2.
 */
export async function admit(
  db: D1Database,
  { hash, management, now, dailyBudget }: Request,
): Promise<Admission> {
  const values = JSON.stringify({
    hash,
    minute: Math.floor(now / MINUTE_MS),
    managed: management ? 1 : 0,
    day: Math.floor(now / DAY_MS),
    lastUsedDay: argentineDay(now),
    dailyBudget,
  })
  const { counted } = await namedBatch(db, {
    ofKey: db.prepare(COUNT_FOR_KEY).bind(values),
    ofDay: db.prepare(COUNT_FOR_DAY).bind(values),
    counted: readCounts(db, values),
  })

  return readCounted(counted.results[0], { management, dailyBudget })
}

/**
 * Counts in the stored minute or day if this is the current or the next. The clocks of isolates
 * differ a little, so an isolate whose clock is behind may find a window that another has begun. A
 * window further ahead comes from a wrong clock and is replaced.
 */
const COUNT_FOR_KEY = `
  update api_keys set
    quota_used = iif(quota_minute in (?1 ->> 'minute', (?1 ->> 'minute') + 1), quota_used, 0) + 1,
    quota_managed = iif(quota_minute in (?1 ->> 'minute', (?1 ->> 'minute') + 1), quota_managed, 0)
      + (?1 ->> 'managed'),
    quota_minute = iif(quota_minute in (?1 ->> 'minute', (?1 ->> 'minute') + 1), quota_minute,
      ?1 ->> 'minute'),
    last_used_day = ?1 ->> 'lastUsedDay'
  where hash = ?1 ->> 'hash'
    and (quota_minute not in (?1 ->> 'minute', (?1 ->> 'minute') + 1)
      or (quota_used < ${KEY_QUOTA}
        and (?1 ->> 'managed' = 0 or quota_managed < ${MANAGEMENT_QUOTA})))
    and coalesce((select iif(day in (?1 ->> 'day', (?1 ->> 'day') + 1), used, 0)
      from private_budget where id = 1), 0) < ?1 ->> 'dailyBudget'`

/** Counts only if the statement before it did: a refused or unknown key writes nothing. */
const COUNT_FOR_DAY = `
  insert into private_budget (id, day, used) select 1, ?1 ->> 'day', 1 where changes() = 1
  on conflict (id) do update set
    used = iif(day in (?1 ->> 'day', (?1 ->> 'day') + 1), used, 0) + 1,
    day = iif(day in (?1 ->> 'day', (?1 ->> 'day') + 1), day, excluded.day)`

function readCounts(db: D1Database, values: string): Statement<Counted> {
  return db
    .prepare(
      `select api_keys.id as keyId, account_id as accountId, changes() = 1 as admitted,
         iif(quota_minute in (?1 ->> 'minute', (?1 ->> 'minute') + 1), quota_minute,
           ?1 ->> 'minute') as minute,
         iif(quota_minute in (?1 ->> 'minute', (?1 ->> 'minute') + 1), quota_used, 0) as keyUsed,
         iif(quota_minute in (?1 ->> 'minute', (?1 ->> 'minute') + 1), quota_managed, 0)
           as managementUsed,
         iif(day in (?1 ->> 'day', (?1 ->> 'day') + 1), day, ?1 ->> 'day') as day,
         iif(day in (?1 ->> 'day', (?1 ->> 'day') + 1), used, 0) as dayUsed
       from api_keys left join private_budget on private_budget.id = 1
       where hash = ?1 ->> 'hash'`,
    )
    .bind(values)
}

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
