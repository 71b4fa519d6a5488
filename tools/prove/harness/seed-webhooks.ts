import type { Keyring } from '../../../shared/crypto/keyring.ts'
import { seal } from '../../../shared/crypto/sealed-box.ts'
import { insertRows } from './rows.ts'

export interface SeededWebhook {
  id: string
  host: string
}

/** Active webhooks of a pair, spread over the hosts by turns. */
export async function seedWebhooks(
  db: D1Database,
  order: { count: number; hosts: readonly string[]; pairId: number; keyring: Keyring },
): Promise<SeededWebhook[]> {
  const { count, hosts, pairId, keyring } = order
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
    .bind(JSON.stringify(rows), pairId, Date.now())
    .run()
  return rows.map(({ id, host }) => ({ id, host }))
}
