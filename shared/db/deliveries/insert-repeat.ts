import { deliveryIdSql } from '../../webhooks/delivery-id.ts'
import { inCatalogue } from '../in-catalogue.ts'
import { repeatPayloadSql } from './payload-sql.ts'
import { OUTSTANDING } from './webhook-capacity.ts'

/**
 * The insertion of a delivery that repeats the value in effect, a sync or a test, for each webhook
 * `w` that `where` holds for, while there is room. A pair that was never quoted gives none. `?1` is
 * the instant and `?2` the capacity; `where` may use what follows.
 */
export function insertRepeat(kind: 'sync' | 'manual', where: string): string {
  return `insert into deliveries (delivery_id, webhook_id, account_id, revision, pair, destination,
      type, status, attempts, releases, body, created_at, next_attempt_at)
    select ${deliveryIdSql('?1')}, w.id, w.account_id, w.revision, w.pair, w.destination,
      '${kind}', 'pending', 0, 0, ${repeatPayloadSql(kind, '?1')}, ?1, ?1
    from webhooks w join current_quotes q on q.pair = w.pair
    where ${where} and ${inCatalogue('w.pair')} and ${OUTSTANDING} < ?2
    returning id, delivery_id as deliveryId`
}
