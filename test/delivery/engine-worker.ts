import { openKeyring } from '../../shared/crypto/keyring.ts'
import { seal } from '../../shared/crypto/sealed-box.ts'
import type { DeliveryEnv } from '../../workers/delivery/config.ts'
import { createDelivery } from '../../workers/delivery/delivery.ts'
import { platform } from '../../workers/delivery/platform.ts'
import { receiversFirst } from '../../workers/standalone/receivers.ts'
import { fromNumbers, insertRows, setOpen } from '../../tools/prove/harness/rows.ts'

interface Env extends DeliveryEnv {
  /** JSON: the names of receivers. */
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
  const deps = {
    ...platform,
    resolveFirst: receiversFirst(JSON.parse(RECEIVERS) as string[]),
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
    seal(keyring, { table: 'subscriptions', column, id }, text)
  const now = Date.now()

  await env.DB.prepare(
    insertRows('subscriptions', {
      id: '?1',
      destination: '?2',
      url_sealed: '?3',
      secret_sealed: '?4',
    }),
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
      insertRows(
        'deliveries',
        {
          delivery_id: `?1 || ' ' || i`,
          subscription_id: '?1',
          destination: '?2',
          created_at: '?3',
          next_attempt_at: '?3',
          look_at: '?3',
        },
        `${fromNumbers('?4')} returning id`,
      ),
    ).bind(id, `https://${host}/***`, now, deliveries),
    env.DB.prepare(setOpen('?1', 'by')).bind(deliveries),
  ])
  await env.DELIVERIES.sendBatch(
    made!.results.map(({ id: deliveryId }) => ({ body: { v: 1, deliveryId } })),
  )
}
