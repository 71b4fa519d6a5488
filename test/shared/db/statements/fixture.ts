import { openKeyring } from '../../../../shared/crypto/keyring.ts'
import type { SubscriptionContext } from '../../../../shared/subscriptions/context.ts'
import { createSubscription } from '../../../../shared/subscriptions/create.ts'
import { webhooks } from '../../../../shared/subscriptions/webhooks.ts'
import type { CurrentQuote } from '../../../../shared/db/quotes/quotes.ts'
import { seedAccount } from '../../../support/accounts.ts'
import { env } from '../../../support/env.ts'
import { art } from '../../../support/instant.ts'
import { random } from '../../../support/random.ts'
import { seedDelivery, seedQuote } from '../../../support/webhooks.ts'

export const NOW = art('2026-03-02 12:00')
export const TODAY = '2026-03-02'
export const CAPACITY = 1000

/** What the calls of the tables find. */
export interface StatementFixture {
  db: D1Database
  context: SubscriptionContext
  accountId: string
  keyId: string
  /** A webhook at version 1. */
  subscriptionId: string
  operationId: string
  /** A waiting delivery of it. */
  deliveryId: number
  quote: CurrentQuote
}

/** A call by `file function`, with arguments that reach every statement of the function. */
export type Calls = Readonly<Record<string, (fixture: StatementFixture) => unknown>>

export async function openStatementFixture(): Promise<StatementFixture> {
  const { accountId, record } = await seedAccount()
  const quote = await seedQuote('usd/blue', 1400, 1420)
  const context: SubscriptionContext = {
    db: env.DB,
    keyring: openKeyring(env.KEY_ENCRYPTION_KEYS),
    ownHosts: [],
    admitted: true,
    sendsMail: true,
    reachesAddresses: true,
    capacity: CAPACITY,
    now: NOW,
    random,
  }
  const operationId = crypto.randomUUID()
  const created = await createSubscription(context, webhooks, accountId, {
    operationId,
    url: 'https://receptor.example.com/x',
    currency: 'USD',
    origin: 'BLUE',
    enabled: true,
  })
  if (!created.ok) throw new Error(JSON.stringify(created.refusal))
  const subscriptionId = created.value.subscription.id
  const deliveryId = await seedDelivery({ accountId, subscriptionId })

  return {
    db: env.DB,
    context,
    accountId,
    keyId: record.id,
    subscriptionId,
    operationId,
    deliveryId,
    quote,
  }
}
