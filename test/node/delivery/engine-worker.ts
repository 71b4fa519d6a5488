import { openKeyring } from '../../../shared/crypto/keyring.ts'
import { seal } from '../../../shared/crypto/sealed-box.ts'
import type { DeliveryEnv } from '../../../workers/delivery/config.ts'
import { createDelivery } from '../../../workers/delivery/delivery.ts'
import { platform } from '../../../workers/delivery/platform.ts'
import { receiversFirst } from '../../../workers/standalone/receivers.ts'

interface Env extends DeliveryEnv {
  /** JSON: name → loopback port. */
  RECEIVERS: string
  /** Milliseconds of an attempt; the product's own when empty. */
  DEADLINE_MS: string
}

/** What the test wants in the tables and the queue. */
export interface Seed {
  secret: string
  webhooks: { id: string; host: string; deliveries: number }[]
}

let delivery: ReturnType<typeof createDelivery> | undefined

/** The delivery Worker as the local start composes it, and a door for the test to seed by. */
export default {
  async fetch(request, env) {
    const { secret, webhooks } = (await request.json()) as Seed
    for (const webhook of webhooks) await seed(env, secret, webhook)
    return new Response('seeded')
  },
  queue: (batch, env, context) => engine(env).queue(batch, env, context),
  scheduled: (controller, env) => engine(env).scheduled(controller, env),
} satisfies ExportedHandler<Env>

function engine({ RECEIVERS, DEADLINE_MS }: Env) {
  const ports = JSON.parse(RECEIVERS) as Record<string, number>
  const receivers = new Map(
    Object.entries(ports).map(([name, port]) => [name, { address: '127.0.0.1', port }]),
  )
  const deps = {
    ...platform,
    resolveFirst: receiversFirst(receivers),
    ...(DEADLINE_MS && { deadlineMs: Number(DEADLINE_MS) }),
  }
  delivery ??= createDelivery(deps)
  return delivery
}

async function seed(
  env: Env,
  secret: string,
  { id, host, deliveries }: Seed['webhooks'][number],
): Promise<void> {
  const keyring = openKeyring(env.KEY_ENCRYPTION_KEYS)
  const sealed = (column: string, text: string) =>
    seal(keyring, { table: 'webhooks', column, id }, text)
  const now = Date.now()

  await env.DB.prepare(
    `insert into webhooks (id, account_id, operation_id, pair, destination, url_sealed,
       secret_sealed, enabled, state, source, version, revision, episode, consecutive_failures,
       needs_sync, created_at) values (?1, 'a', ?1, 3, ?2, ?3, ?4, 1, 'active', 'v2', 1, 1, 1, 0, 0, 0)`,
  )
    .bind(
      id,
      `https://${host}/***`,
      await sealed('url_sealed', `https://${host}/hook`),
      await sealed('secret_sealed', secret),
    )
    .run()

  const [made] = await env.DB.batch<{ id: number }>([
    env.DB.prepare(
      `insert into deliveries (delivery_id, webhook_id, account_id, revision, pair, destination,
         type, status, attempts, releases, body, created_at, next_attempt_at, hinted_at)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < ?4)
       select ?1 || ' ' || i, ?1, 'a', 1, 3, ?2, 'automatic', 'pending', 0, 0, '{}', ?3, ?3, ?3
       from n returning id`,
    ).bind(id, `https://${host}/***`, now, deliveries),
    env.DB.prepare(
      `insert into capacity (id, outstanding) values (1, ?1)
       on conflict (id) do update set outstanding = outstanding + excluded.outstanding`,
    ).bind(deliveries),
  ])
  await env.DELIVERIES.sendBatch(
    made!.results.map(({ id: deliveryId }) => ({ body: { v: 1, deliveryId } })),
  )
}
