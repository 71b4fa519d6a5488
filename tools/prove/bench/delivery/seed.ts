import { openKeyring } from '../../../../shared/crypto/keyring.ts'
import { findPairByKey, type PairKey } from '../../../../shared/market/catalog.ts'
import { seal } from '../../../../shared/crypto/sealed-box.ts'
import { BODY } from '../../harness/delivery-body.ts'
import { KEYS } from '../../harness/delivery-worker.ts'
import { fromNumbers, insertRows, setOpen } from '../../harness/rows.ts'

interface SeededWebhook {
  id: string
  host: string
}

/** Active webhooks of a pair, spread over the hosts by turns. */
export async function seedFollowers(
  db: D1Database,
  pair: PairKey,
  count: number,
  hosts: readonly string[],
): Promise<SeededWebhook[]> {
  const keyring = openKeyring(KEYS)
  const rows = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const id = crypto.randomUUID()
      const host = hosts[index % hosts.length]!
      const sealed = (column: string, text: string) =>
        seal(keyring, { table: 'subscriptions', column, id }, text)
      const url = await sealed('url_sealed', `https://${host}/hook?token=hidden`)
      return { id, host, url, secret: await sealed('secret_sealed', 'ab'.repeat(32)) }
    }),
  )
  await db
    .prepare(
      insertRows(
        'subscriptions',
        {
          id: `value ->> 'id'`,
          account_id: `'seeded'`,
          pair: '?2',
          destination: `'https://' || (value ->> 'host') || '/***'`,
          url_sealed: `value ->> 'url'`,
          secret_sealed: `value ->> 'secret'`,
          created_at: '?3',
        },
        'from json_each(?1)',
      ),
    )
    .bind(JSON.stringify(rows), findPairByKey(pair)!.id, Date.now())
    .run()
  return rows.map(({ id, host }) => ({ id, host }))
}

/** One delivery for each webhook, as a change makes them in one statement; returns its rows. */
export async function seedChange(
  db: D1Database,
  webhooks: readonly { id: string; host: string }[],
): Promise<{ id: number }[]> {
  const rows = webhooks.map((webhook) => ({ ...webhook, delivery: crypto.randomUUID() }))
  const [inserted] = await db.batch<{ id: number }>([
    db
      .prepare(
        insertRows(
          'deliveries',
          {
            delivery_id: `value ->> 'delivery'`,
            subscription_id: `value ->> 'id'`,
            destination: `'https://' || (value ->> 'host') || '/***'`,
            body: '?2',
            created_at: '?3',
            next_attempt_at: '?3',
          },
          `from json_each(?1) returning id`,
        ),
      )
      .bind(JSON.stringify(rows), BODY, Date.now()),
    db.prepare(setOpen(rows.length, 'by')),
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
        insertRows(
          'deliveries',
          {
            subscription_id: `coalesce(?2 ->> ((?1 + i) % 500), 'other ' || ((?1 + i) % 5000))`,
            status: `'delivered'`,
            attempts: 1,
            code: 204,
            body: '?3',
            created_at: '?4',
            next_attempt_at: '?4',
            resolved_at: '?4',
          },
          fromNumbers(Math.min(CHUNK, count - start)),
        ),
      )
      .bind(start, ids, BODY, Date.now() - 3_600_000)
      .run()
}
