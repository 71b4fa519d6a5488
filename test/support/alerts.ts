import { findPairByKey, pairById, type PairKey } from '../../shared/market/catalog.ts'
import { numberToPrice, type Price } from '../../shared/market/price.ts'
import type { Instant } from '../../shared/argentine-time.ts'
import { alerts, type NewAlert } from '../../shared/subscriptions/alerts.ts'
import { createSubscription } from '../../shared/subscriptions/create.ts'
import { findSubscription } from '../../shared/subscriptions/kind.ts'
import type { Quote } from '../../shared/alerts/alert.ts'
import { alertStatements, type Move } from '../../workers/scraper/db/alerts.ts'
import { env } from './env.ts'
import { anAlert } from './account-client.ts'
import { management } from './webhooks.ts'
import { insertRows } from '../../tools/prove/harness/rows.ts'

/** Creates an alert in the database and returns its id. */
export async function createAlertAt(
  now: Instant,
  accountId: string,
  changes: Partial<NewAlert> = {},
): Promise<string> {
  const created = await createSubscription(management({ now }), alerts, accountId, {
    ...anAlert(),
    side: 'sell',
    condition: 'above',
    threshold: 1500,
    hysteresis: 0,
    against: null,
    repeat: false,
    channel: 'webhook',
    enabled: true,
    ...changes,
  })
  if (!created.ok) throw new Error(JSON.stringify(created.refusal))
  return created.value.subscription.id
}

/** A stored alert, with the values that it watches at an instant. */
export function readAlert(accountId: string, id: string, at: Instant) {
  return findSubscription(env.DB, alerts, { accountId, id }, at)
}

/** Stores values as a cycle at an instant would: points and the values in effect. */
export function valueStatements(
  values: Partial<Record<PairKey, number | readonly [buy: number, sell: number]>>,
  at: Instant,
  db: D1Database = env.DB,
): D1PreparedStatement[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const pair = findPairByKey(key)!.id
    const [buy, sell] = pricesOf(value)
    return [
      db
        .prepare(`insert into points (pair, at, buy, sell, source) values (?1, ?2, ?3, ?4, 'test')`)
        .bind(pair, at, buy, sell),
      db
        .prepare(
          insertRows(
            'current_quotes',
            { pair: '?1', buy: '?3', sell: '?4', updated_at: '?2' },
            'where true on conflict (pair) do update set buy = ?3, sell = ?4, updated_at = ?2',
          ),
        )
        .bind(pair, at, buy, sell),
    ]
  })
}

/** The pairs and values of a change, as the cycle computes them. */
export async function moveOf(
  values: Parameters<typeof valueStatements>[0],
  at: Instant,
  db: D1Database = env.DB,
): Promise<Move> {
  const { results } = await db
    .prepare('select pair, buy, sell, updated_at as updatedAt from current_quotes')
    .all<Quote & { pair: number }>()
  const before = results.map((row) => ({ ...row, pair: pairById(row.pair)! }))
  const changed = Object.keys(values).map((key) => findPairByKey(key)!)
  const written = Object.values(values).map((value, index) => {
    const [buy, sell] = pricesOf(value)
    return { pair: changed[index]!, buy, sell, updatedAt: at }
  })
  const same = before.filter(({ pair }) => !changed.includes(pair))
  return { before, changed, after: [...same, ...written] }
}

/** Records values and fires the alerts that they meet, in one batch. Returns the delivery ids. */
export async function change(
  values: Parameters<typeof valueStatements>[0],
  at: Instant,
  { db = env.DB, capacity = 1000 }: { db?: D1Database; capacity?: number } = {},
): Promise<number[]> {
  const written = valueStatements(values, at, db)
  const firing = { at, capacity, admitted: true }
  const results = await db.batch<{ id: number }>([
    ...written,
    ...(await alertStatements(db, await moveOf(values, at, db), firing)),
  ])
  return results.slice(written.length).flatMap(({ results }) => results.map(({ id }) => id))
}

function pricesOf(value: number | readonly [number, number]): [buy: Price, sell: Price] {
  const [buy, sell] = typeof value === 'number' ? [value, value] : value
  return [numberToPrice(buy), numberToPrice(sell)]
}
