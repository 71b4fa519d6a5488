import { Command } from '@commander-js/extra-typings'
import { formatArgentine, type Instant } from '../../../shared/argentine-time.ts'
import type { Keyring } from '../../../shared/crypto/sealed-box.ts'
import { pairById, pairKey } from '../../../shared/market/catalog.ts'
import { alerts } from '../../../shared/subscriptions/alerts.ts'
import type { SubscriptionContext } from '../../../shared/subscriptions/context.ts'
import { editSubscription } from '../../../shared/subscriptions/edit.ts'
import { redeliverSince } from '../../../shared/db/deliveries/redeliver.ts'
import { webhooks } from '../../../shared/subscriptions/webhooks.ts'
import type { SubscriptionKind, WebhookState } from '../../../shared/webhooks/webhook.ts'
import { CommandError } from '../../support/arguments.ts'
import { randomBytes as random } from '../../support/random.ts'
import { type AdminContext, run } from './command.ts'
import { readSince } from './read-values.ts'

const WHO = ['<WHO>', 'the e-mail of an account, the id of a webhook, or a receiving host'] as const

/** `webhook deliveries` shows this many deliveries. */
const NEWEST = 30

export const webhookCommand = new Command('webhook').description(
  'Shows, pauses and redelivers webhooks, and alerts that go to webhooks, of any account.',
)

webhookCommand
  .command('list')
  .description(
    'Shows each webhook: id, kind, account, pair, destination, state, consecutive failures.',
  )
  .argument(...WHO)
  .action(
    run(async ({ db, print }, who) => {
      for (const webhook of await findWebhooks(db, who)) print(lineOf(webhook))
    }),
  )

webhookCommand
  .command('deliveries')
  .description(`Shows the newest ${NEWEST} deliveries of the last seven days.`)
  .argument(...WHO)
  .action(
    run(async ({ db, print }, who) => {
      for (const { at, ...words } of await newestDeliveries(db, await findWebhooks(db, who)))
        print([formatArgentine(at), ...Object.values(words)].join('  '))
    }),
  )

webhookCommand
  .command('pause')
  .description('Pauses the webhooks. Their owners can activate them again.')
  .argument(...WHO)
  .action(
    run(async (context, who) => {
      for (const webhook of await findWebhooks(context.db, who)) {
        await pause(context, webhook)
        context.print(`paused ${webhook.id}`)
      }
    }),
  )

webhookCommand
  .command('redeliver')
  .description('Redelivers dead and cancelled deliveries, oldest first, within two minutes.')
  .argument(...WHO)
  .requiredOption(
    '--since <INSTANT>',
    'redelivers deliveries that were made from this instant on: 2026-11-21T12:00:00Z',
    readSince,
  )
  .action(
    run(async (context, who, { since }) => {
      for (const { id, kind, accountId } of await findWebhooks(context.db, who)) {
        const done = await redeliverSince(contextOf(context), kind, { accountId, id, since })
        if (!done.ok) throw new CommandError(`${id}: not redelivered: ${String(done.refusal)}`)
        context.print(`${id}: ${done.value.redelivered} again, ${done.value.remaining} left`)
      }
    }),
  )

interface Webhook {
  id: string
  kind: SubscriptionKind
  accountId: string
  email: string
  pair: number
  destination: string
  state: WebhookState
  failures: number
  version: number
}

/** Finds webhooks, and alerts that go to webhooks, by account, id or host. */
async function findWebhooks(db: D1Database, who: string): Promise<Webhook[]> {
  const { results } = await db
    .prepare(
      `select w.id, w.kind, w.account_id as accountId, a.email, w.pair, w.destination, w.state,
         w.consecutive_failures as failures, w.version
       from subscriptions w join accounts a on a.id = w.account_id
       where w.destination is not null and (?1 in (w.id, a.email)
         or w.destination in ('https://' || ?1, 'https://' || ?1 || '/***'))
       order by w.created_at, w.id`,
    )
    .bind(who.toLowerCase())
    .all<Webhook>()
  if (results.length === 0) throw new CommandError(`no webhook of ${who}: give ${WHO[1]}`)
  return results
}

/** The columns that `webhook deliveries` shows, newest first. */
async function newestDeliveries(db: D1Database, of: readonly Webhook[]) {
  const { results } = await db
    .prepare(
      `select created_at as at, delivery_id, 'of ' || subscription_id, type,
         status || ' after ' || attempts, concat_ws(' ', code, error_type)
       from deliveries where subscription_id in (select value from json_each(?1))
       order by created_at desc, id desc limit ${NEWEST}`,
    )
    .bind(JSON.stringify(of.map(({ id }) => id)))
    .all<{ at: Instant } & Record<string, string>>()
  return results
}

/** No keys, because a pause or a redelivery neither opens nor seals a field. */
const NO_KEYS: Keyring = { current: '', keys: new Map() }

/** Pauses a webhook or alert. Fails if its version has changed since it was read. */
export async function pause(
  context: AdminContext,
  { id, accountId, kind, version }: Pick<Webhook, 'id' | 'accountId' | 'kind' | 'version'>,
): Promise<void> {
  const own = { accountId, id }
  const edit = { version, enabled: false }
  const paused = await (kind === 'alert'
    ? editSubscription(contextOf(context), alerts, own, edit)
    : editSubscription(contextOf(context), webhooks, own, edit))
  if (!paused.ok) throw new CommandError(`${id} is not paused: ${String(paused.refusal)}`)
}

/** Admission and capacity do not limit the operator. */
function contextOf({ db, now }: Pick<AdminContext, 'db' | 'now'>): SubscriptionContext {
  return {
    db,
    keyring: NO_KEYS,
    ownHosts: [],
    admitted: true,
    sendsMail: true,
    reachesAddresses: true,
    capacity: Number.MAX_SAFE_INTEGER,
    now: now(),
    random,
  }
}

function lineOf({ id, kind, email, pair, destination, state, failures }: Webhook): string {
  const name = pairKey(pairById(pair)!)
  return [id, kind, email, name, destination, state, `${failures} failures`].join('  ')
}
