import {
  checkDestination,
  maskDestination,
} from '../../../../shared/webhooks/destination/destination.ts'
import { sealFields } from '../../../../shared/subscriptions/sealed-fields.ts'
import {
  importInheritedWebhooks,
  type InheritedWebhook,
} from '../../../../shared/subscriptions/inherited.ts'
import { toHex } from '../../../../shared/crypto/hex.ts'
import type { Keyring } from '../../../../shared/crypto/keyring.ts'
import { randomUuid } from '../../../../shared/crypto/random.ts'
import type { AdminContext } from '../command.ts'
import { requireKeyring } from '../keyring.ts'
import { randomBytes as random } from '../../../support/random.ts'
import type { PredecessorAccount, PredecessorWebhook } from './file.ts'
import type { Instant } from '../../../../shared/argentine-time.ts'
import { findPair, type Pair } from '../../../../shared/market/catalog.ts'
import { ok, refuse, type Result } from '../../../../shared/result.ts'

/** Webhooks of one batch: each has a sealed URL of up to 3 kB, a remote statement at most 100. */
const CHUNK = 20

const ACCOUNTS = 500

interface OwnedWebhook extends ReadWebhook {
  accountId: string
}

/**
 * Imports the webhooks of the predecessor's accounts, which exist already. Valid ones are stored paused, also
 * above five; the others are named with the reason and left out.
 */
export async function importWebhooks(
  accounts: readonly PredecessorAccount[],
  context: Pick<AdminContext, 'db' | 'now' | 'warn' | 'remote' | 'stateDir'>,
) {
  const owners = accounts.filter(({ webhooks }) => webhooks.length > 0)
  /** Known: imported earlier, even if deleted since. */
  const counts = { imported: 0, known: 0, leftOut: 0 }
  if (owners.length === 0) return counts

  const { valid, leftOut } = await readAll(owners, context)
  const once = withoutTwins(valid)
  counts.leftOut = leftOut
  counts.known = valid.length - once.length

  const keyring = requireKeyring(context)
  for (let from = 0; from < once.length; from += CHUNK) {
    const chunk = once.slice(from, from + CHUNK)
    const at = context.now()
    const sealed = await Promise.all(chunk.map((webhook) => inherited(keyring, webhook, at)))
    const stored = await importInheritedWebhooks(context.db, sealed, at)
    counts.imported += stored.length
    counts.known += chunk.length - stored.length
    if (once.length > CHUNK)
      context.warn(`webhooks: ${Math.round(((from + chunk.length) / once.length) * 100)} %`)
  }
  return counts
}

async function readAll(
  accounts: readonly PredecessorAccount[],
  { db, warn }: Pick<AdminContext, 'db' | 'warn'>,
): Promise<{ valid: OwnedWebhook[]; leftOut: number }> {
  const valid: OwnedWebhook[] = []
  let leftOut = 0

  const ids = await accountIds(db, accounts)
  for (const { email, webhooks } of accounts) {
    for (const webhook of webhooks) {
      const read = readWebhook(webhook)
      if (read.ok) valid.push({ ...read.value, accountId: ids.get(email)! })
      else {
        warn(`${email}: webhook ${String(webhook['id'])} left out: ${read.refusal}`)
        leftOut += 1
      }
    }
  }
  return { valid, leftOut }
}

async function accountIds(
  db: D1Database,
  accounts: readonly PredecessorAccount[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (let from = 0; from < accounts.length; from += ACCOUNTS) {
    const emails = accounts.slice(from, from + ACCOUNTS).map(({ email }) => email)
    const { results } = await db
      .prepare('select id, email from accounts where email in (select value from json_each(?1))')
      .bind(JSON.stringify(emails))
      .all<{ id: string; email: string }>()
    for (const { id, email } of results) ids.set(email, id)
  }
  return ids
}

/** Webhooks without those that an account repeats in the file; the first one stays. */
function withoutTwins(webhooks: readonly OwnedWebhook[]): OwnedWebhook[] {
  const byId = new Map(
    webhooks.toReversed().map((webhook) => [`${webhook.accountId} ${webhook.reference}`, webhook]),
  )
  return [...byId.values()].toReversed()
}

/**
 * Makes an operation id and a secret that nobody has seen. A rotation shows the owner a new one.
 */
async function inherited(
  keyring: Keyring,
  { accountId, reference, pair, url, createdAt }: OwnedWebhook,
  at: number,
): Promise<InheritedWebhook> {
  const id = randomUuid(random)
  return {
    id,
    accountId,
    operationId: randomUuid(random),
    pair: pair.id,
    destination: maskDestination(url),
    sealed: await sealFields(keyring, id, {
      url,
      authorization: null,
      secret: toHex(random(32)),
    }),
    createdAt: createdAt ?? at,
    reference,
  }
}

interface ReadWebhook {
  reference: string
  pair: Pair
  /** Normalised. */
  url: string
  /** Null when the file gives none that can be read. */
  createdAt: Instant | null
}

/** What the predecessor's file has of a webhook, or why it is left out: never its URL, which may be a secret. */
function readWebhook(webhook: PredecessorWebhook): Result<ReadWebhook, string> {
  const { id, url, type, method, created_at: createdAt } = webhook

  if ((typeof id !== 'string' && typeof id !== 'number') || id === '') return refuse('no id')
  if (typeof method !== 'string' || method.toUpperCase() !== 'POST')
    return refuse('its method is not POST')

  const [currency = '', origin = ''] = String(type).split(/[_/]/)
  const pair = findPair(currency, origin)
  if (!pair) return refuse('its type is no pair of the catalogue')

  const destination = typeof url === 'string' ? checkDestination(url, []) : null
  if (!destination) return refuse('no url')
  if (!destination.ok) return refuse(`its url is refused (${destination.refusal.rule})`)

  return ok({
    reference: String(id),
    pair,
    url: destination.value.url,
    createdAt: typeof createdAt === 'string' ? Date.parse(createdAt) || null : null,
  })
}
