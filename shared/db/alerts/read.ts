import { type Instant, startOfDay } from '../../argentine-time.ts'
import { type AlertRow, selectAlerts, type StoredAlert, toAlert } from './row.ts'

/** An account's alerts with what they watch at an instant, oldest first. */
export async function listAlerts(
  db: D1Database,
  accountId: string,
  now: Instant,
): Promise<StoredAlert[]> {
  const { results } = await db
    .prepare(selectAlerts('account_id = ?1', '?2'))
    .bind(accountId, startOfDay(now))
    .all<AlertRow>()

  return results.map(toAlert)
}

/** One alert of an account. An alert of another account counts as absent. */
export async function findAlert(
  db: D1Database,
  accountId: string,
  id: string,
  now: Instant,
): Promise<StoredAlert | null> {
  const row = await db
    .prepare(selectAlerts('id = ?1 and account_id = ?2', '?3'))
    .bind(id, accountId, startOfDay(now))
    .first<AlertRow>()

  return row && toAlert(row)
}

/** The alert that an account created with an operation id, if any. */
export async function findAlertByOperation(
  db: D1Database,
  accountId: string,
  operationId: string,
  now: Instant,
): Promise<StoredAlert | null> {
  const row = await db
    .prepare(selectAlerts('account_id = ?1 and operation_id = ?2', '?3'))
    .bind(accountId, operationId, startOfDay(now))
    .first<AlertRow>()

  return row && toAlert(row)
}
