import { ok, refuse, type Result } from '../result.ts'
import { OPEN } from './deliveries/open.ts'

const OF_ACCOUNT = `subscription_id in (select id from subscriptions where account_id = ?1)`

/**
 * Deletes an account and everything it owns, in one transaction (decision 19: all that it owns).
 * Webhooks and deliveries have no foreign key to the account, so they go first, and the capacity of
 * open deliveries is released. Keys, import marks and sessions go by cascade.
 */
export async function deleteAccount(
  db: D1Database,
  accountId: string,
): Promise<Result<null, 'account_not_found'>> {
  const results = await db.batch(
    [
      `update open_deliveries set outstanding = max(0, outstanding - (
         select count(*) from deliveries where ${OF_ACCOUNT} and ${OPEN}))`,
      `delete from deliveries where ${OF_ACCOUNT}`,
      `delete from notices where ${OF_ACCOUNT}`,
      'delete from subscriptions where account_id = ?1',
      'delete from accounts where id = ?1 returning id',
    ].map((statement) => db.prepare(statement).bind(accountId)),
  )

  return results.at(-1)!.results.length > 0 ? ok(null) : refuse('account_not_found')
}
