import type { Pair } from '../../shared/catalog.ts'
import { openKeyring } from '../../shared/keyring.ts'
import { seal } from '../../shared/sealed-box.ts'
import { localSecrets } from '../local/secrets.ts'

/** Active webhooks of a pair, spread over the hosts by turns, sealed with the state's own secret. */
export async function seedWebhooks(
  db: D1Database,
  order: { stateDir: string; count: number; hosts: readonly string[]; pair: Pair },
): Promise<void> {
  const { stateDir, count, hosts, pair } = order
  const keyring = openKeyring(localSecrets(stateDir).KEY_ENCRYPTION_KEYS)
  const sealed = (id: string, column: string, text: string) =>
    seal(keyring, { table: 'webhooks', column, id }, text)

  const rows = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const id = crypto.randomUUID()
      const host = hosts[index % hosts.length]!
      return {
        id,
        host,
        url: await sealed(id, 'url_sealed', `https://${host}/hook?token=hidden`),
        secret: await sealed(id, 'secret_sealed', 'ab'.repeat(32)),
      }
    }),
  )
  await db
    .prepare(
      `INSERT INTO webhooks (id, account_id, operation_id, pair, destination, url_sealed,
         secret_sealed, enabled, state, source, version, revision, episode, consecutive_failures,
         needs_sync, created_at)
       SELECT value ->> 'id', 'load', value ->> 'id', ?2, 'https://' || (value ->> 'host') || '/***',
         value ->> 'url', value ->> 'secret', 1, 'active', 'v2', 1, 1, 1, 0, 0, ?3
       FROM json_each(?1)`,
    )
    .bind(JSON.stringify(rows), pair.id, Date.now())
    .run()
}
