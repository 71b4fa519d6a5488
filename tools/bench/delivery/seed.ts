import { openKeyring } from '../../../shared/crypto/keyring.ts'
import { WAITING_ROW, type WaitingRow } from '../../../shared/db/deliveries/waiting.ts'
import { findPairByKey, type PairKey } from '../../../shared/market/catalog.ts'
import { seedWebhooks } from '../../harness/seed-webhooks.ts'
import { KEYS } from './runtime.ts'

export const BODY = JSON.stringify({
  event: 'rate.updated',
  currency: 'USD',
  origin: 'BLUE',
  buy: 1410,
  sell: 1430,
  prevBuy: 1400,
  prevSell: 1420,
  changePct: 0.7,
  valueType: 'money',
  updatedAt: '2026-03-02T15:00:00.000Z',
  timestamp: '2026-03-02T15:00:01.000Z',
})

/** Active webhooks of a pair, spread over the hosts by turns. */
export function seedFollowers(
  db: D1Database,
  pair: PairKey,
  count: number,
  hosts: readonly string[],
) {
  const pairId = findPairByKey(pair)!.id
  return seedWebhooks(db, { count, hosts, pairId, keyring: openKeyring(KEYS) })
}

/** One delivery for each webhook, as a change makes them in one statement; returns its rows. */
export async function seedChange(
  db: D1Database,
  webhooks: readonly { id: string; host: string }[],
): Promise<WaitingRow[]> {
  const rows = webhooks.map((webhook) => ({ ...webhook, delivery: crypto.randomUUID() }))
  const [inserted] = await db.batch<WaitingRow>([
    db
      .prepare(
        `insert into deliveries (delivery_id, webhook_id, account_id, revision, pair, destination,
           type, status, attempts, releases, body, created_at, next_attempt_at)
         select value ->> 'delivery', value ->> 'id', 'bench', 1, 3,
           'https://' || (value ->> 'host') || '/***', 'automatic', 'pending', 0, 0, ?2, ?3, ?3
         from json_each(?1) returning ${WAITING_ROW}`,
      )
      .bind(JSON.stringify(rows), BODY, Date.now()),
    db
      .prepare(
        `insert into capacity (id, outstanding) values (1, ?1)
         on conflict (id) do update set outstanding = outstanding + excluded.outstanding`,
      )
      .bind(rows.length),
  ])
  return inserted!.results
}

/** Finished deliveries of the past day, a tenth of them of the first webhooks of the bench. */
export async function seedFinished(
  db: D1Database,
  count: number,
  webhooks: readonly { id: string }[],
): Promise<void> {
  const CHUNK = 50_000
  const ids = JSON.stringify(webhooks.map(({ id }) => id))
  for (let start = 0; start < count; start += CHUNK)
    await db
      .prepare(
        `insert into deliveries (delivery_id, webhook_id, account_id, revision, pair, destination,
           type, status, attempts, releases, body, created_at, next_attempt_at, resolved_at, code)
         with recursive n(i) as (select ?1 union all select i + 1 from n where i + 1 < ?2)
         select 'finished ' || i, coalesce(?3 ->> (i % 500), 'other ' || (i % 5000)), 'bench', 1, 3,
           'https://x.example.com/***', 'automatic', 'delivered', 1, 0, ?4, ?5, ?5, ?5, 204 from n`,
      )
      .bind(start, Math.min(start + CHUNK, count), ids, BODY, Date.now() - 3_600_000)
      .run()
}
