import type { Pair } from '../../shared/market/catalog.ts'
import { openKeyring } from '../../shared/crypto/keyring.ts'
import { seedWebhooks } from '../harness/seed-webhooks.ts'
import { localSecrets } from '../local/secrets.ts'

/** Active webhooks of a pair, sealed with the state's own secret. */
export async function seedFollowers(
  db: D1Database,
  order: { stateDir: string; count: number; hosts: readonly string[]; pair: Pair },
): Promise<void> {
  const { stateDir, count, hosts, pair } = order
  const keyring = openKeyring(localSecrets(stateDir).KEY_ENCRYPTION_KEYS)
  await seedWebhooks(db, { count, hosts, pairId: pair.id, keyring })
}
