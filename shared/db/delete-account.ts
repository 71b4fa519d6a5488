import { ok, refuse, type Result } from '../result.ts'
import { namedBatch } from './named-batch.ts'

/**
 * Deletes an account and everything it owns, in one transaction (decision 19: all that it owns).
 * Webhooks and deliveries have no foreign key to the account, so they go first. Keys, import marks and
 * sessions go by cascade.
 */
export async function deleteAccount(
  db: D1Database,
  accountId: string,
): Promise<Result<null, 'account_not_found'>> {
  const ofIt = (sql: string) => db.prepare(sql).bind(accountId)
  const { account } = await namedBatch(db, {
    deliveries: ofIt(
      `delete from deliveries
       where subscription_id in (select id from subscriptions where account_id = ?1)`,
    ),
    notices: ofIt(
      `delete from notices
       where subscription_id in (select id from subscriptions where account_id = ?1)`,
    ),
    subscriptions: ofIt(`delete from subscriptions where account_id = ?1`),
    account: ofIt(`delete from accounts where id = ?1 returning id`),
  })
  return account.results.length > 0 ? ok(null) : refuse('account_not_found')
}
