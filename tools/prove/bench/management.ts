import { findPairByKey } from '../../../shared/market/catalog.ts'
import {
  openReceiverContext,
  type ReceiverContext,
} from '../../../workers/site/db/receivers/context.ts'
import type { Result } from '../../../shared/result.ts'
import { randomBytes as random } from '../../support/random.ts'
import { insertRows } from '../harness/rows.ts'

/** What management is measured with: an instant, and a pair that changes and one that does not. */
export const NOW = Date.UTC(2026, 2, 5, 15)
export const blue = findPairByKey('usd/blue')!
export const quiet = findPairByKey('eur/bna')!

export function contextOf(db: D1Database): ReceiverContext {
  const env = {
    DB: db,
    KEY_ENCRYPTION_KEYS: `bench:${Buffer.alloc(32, 7).toString('base64')}`,
    PUBLIC_HOSTS: '',
    WEBHOOK_ADMISSION: 'open',
    DELIVERY_CAPACITY: '20000',
  }
  return openReceiverContext(env, { now: NOW, random, requestUrl: 'https://bench.test/' })
}

/** Quotes of both pairs. */
export async function setQuotes(db: D1Database, sell: number, at = NOW): Promise<void> {
  await db
    .prepare(
      insertRows(
        'current_quotes',
        { pair: 'value', sell: '?2', updated_at: '?3' },
        `from json_each(?1) where true
         on conflict (pair) do update set sell = excluded.sell, updated_at = excluded.updated_at`,
      ),
    )
    .bind(JSON.stringify([blue.id, quiet.id]), sell, at)
    .run()
}

export function value<Value>(result: Result<Value, unknown>): Value {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.refusal)}`)
  return result.value
}
