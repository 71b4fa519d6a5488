import type { AlertRule } from '../alerts/alert.ts'
import type { Instant } from '../argentine-time.ts'
import type { QueuedDelivery } from '../db/deliveries/insert.ts'
import type { Statement } from '../db/named-batch.ts'
import type { Own, StoredSubscription, Which } from '../db/subscriptions.ts'
import type { Pair } from '../market/catalog.ts'
import type { Result } from '../result.ts'
import { askForSweep, enqueue } from '../webhooks/enqueue.ts'
import type { SubscriptionKind } from '../webhooks/webhook.ts'
import type { SubscriptionContext } from './context.ts'
import type { SubscriptionRefusal } from './refusal.ts'

/** The fields of a creation that both kinds have. */
export interface NewSubscription {
  operationId: string
  enabled: boolean
  receiverAuthorization?: string | undefined
}

/** An edit that pauses or activates. The edits of each kind have more fields. */
export interface Switch {
  version: number
  enabled?: boolean | undefined
}

/** The fields that an edit of a kind may change. An absent field keeps its value. */
export type EditOf<New extends NewSubscription> = Switch & {
  [Field in keyof Omit<New, keyof NewSubscription>]?: New[Field] | undefined
} & {
  /** Null removes the credential. */
  receiverAuthorization?: string | null | undefined
}

/**
 * The parts that differ between webhooks and alerts (webhooks.ts, alerts.ts). The operations are
 * generic functions, so that each kind receives only its own types.
 */
export interface Kind<
  Stored extends StoredSubscription,
  New extends NewSubscription,
  Edit extends Switch,
> extends Reader<Stored> {
  name: SubscriptionKind
  /** Prints a response, field by field, so that no sealed field is printed. */
  view: (stored: Stored) => object
  checkNew: (context: SubscriptionContext, wanted: New) => Result<CheckedNew, SubscriptionRefusal>
  /** Validates an edit; an absent field keeps its stored value. */
  checkEdit: (
    context: SubscriptionContext,
    stored: Stored,
    edit: Edit | Switch,
  ) => Result<CheckedEdit, SubscriptionRefusal>
  /** Queues a test in any state while admission is open. Null: the test goes by e-mail. */
  test: (
    context: SubscriptionContext,
    own: Own,
  ) => Promise<Result<QueuedDelivery | null, SubscriptionRefusal>>
}

export interface Reader<Stored> {
  select: (db: D1Database, which: Which, now: Instant) => Statement
  read: (row: unknown) => Stored
}

/** An account's subscriptions of a kind, oldest first. */
export async function listSubscriptions<Stored>(
  db: D1Database,
  kind: Reader<Stored>,
  accountId: string,
  now: Instant,
): Promise<Stored[]> {
  const { results } = await kind.select(db, { accountId }, now).all()
  return results.map((row) => kind.read(row))
}

/** One subscription of an account and of this kind. Any other subscription counts as absent. */
export async function findSubscription<Stored>(
  db: D1Database,
  kind: Reader<Stored>,
  own: Own,
  now: Instant,
): Promise<Stored | null> {
  const row = await kind.select(db, own, now).first()
  return row && kind.read(row)
}

interface CheckedNew {
  pair: Pair
  /** Null for e-mail. */
  url: string | null
  /** Only for an alert. */
  rule: AlertRule | null
}

interface CheckedEdit {
  pair: Pair
  /** Undefined keeps the URL, null removes it. */
  url: string | null | undefined
  authorization: string | null | undefined
  /** Whether something other than the destination and its credential changes. */
  changes: boolean
  /** Whether the edit restarts the subscription, as an activation does. */
  beginsAgain: boolean
  /** Only for an alert. */
  rule: AlertRule | null
}

/** Sends the hint of a test now. A test by e-mail goes out with a sweep. */
export async function sendTest(queue: Queue, test: QueuedDelivery | null): Promise<void> {
  await (test ? enqueue({ queue }, [{ id: test.id }]) : askForSweep(queue))
}
