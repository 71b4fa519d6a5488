import { findPairByKey, type PairKey } from '../../shared/market/catalog.ts'
import { numberToPrice } from '../../shared/market/price.ts'
import type { Instant } from '../../shared/argentine-time.ts'
import { openKeyring } from '../../shared/crypto/keyring.ts'
import { createAlert, type NewAlert } from '../../shared/db/alerts/create.ts'
import { fireStatements } from '../../shared/db/alerts/fire.ts'
import type { WebhookContext } from '../../shared/db/webhooks/context.ts'
import { env } from './env.ts'
import { random } from './random.ts'
import { openClient } from './webhook-client.ts'

export const ALERTS = '/api/v2/alerts'

/** A valid creation through the API, changed only where the test speaks of it. */
export function anAlert(changes: Record<string, unknown> = {}) {
  return {
    operationId: crypto.randomUUID(),
    currency: 'USD',
    origin: 'BLUE',
    condition: 'above',
    threshold: 1500,
    url: 'https://receptor.example/hooks/una-ruta?clave=una-clave',
    ...changes,
  }
}

/** The same as the database takes it. */
export function aNewAlert(changes: Partial<NewAlert> = {}): NewAlert {
  return {
    ...anAlert(),
    side: 'sell',
    condition: 'above',
    hysteresis: 0,
    against: null,
    repeat: false,
    channel: 'webhook',
    enabled: true,
    ...changes,
  }
}

/** The rules of alerts at an instant, with admission open. */
export function alertContext(now: Instant, changes: Partial<WebhookContext> = {}): WebhookContext {
  return {
    db: env.DB,
    keyring: openKeyring(env.KEY_ENCRYPTION_KEYS),
    ownHosts: [],
    admitted: true,
    capacity: 1000,
    now,
    random,
    ...changes,
  }
}

/** Creates an alert and returns its id. */
export async function createAlertAt(
  now: Instant,
  accountId: string,
  changes: Partial<NewAlert> = {},
): Promise<string> {
  const created = await createAlert(alertContext(now), accountId, aNewAlert(changes))
  if (!created.ok) throw new Error(JSON.stringify(created.refusal))
  return created.value.alert.id
}

/** A client of the API with the verbs of alerts. */
export async function openAlertClient(...options: Parameters<typeof openClient>) {
  const client = await openClient(...options)
  const { call } = client
  return {
    ...client,
    create: (changes: Record<string, unknown> = {}) => call('POST', ALERTS, anAlert(changes)),
    list: () => call('GET', ALERTS),
    read: (id: string) => call('GET', `${ALERTS}/${id}`),
    edit: (id: string, body: unknown) => call('PATCH', `${ALERTS}/${id}`, body),
    remove: (id: string, version: number) => call('DELETE', `${ALERTS}/${id}`, { version }),
    rotate: (id: string, version: number) =>
      call('POST', `${ALERTS}/${id}/rotate-secret`, { version }),
    test: (id: string) => call('POST', `${ALERTS}/${id}/test`, {}),
    deliveries: (query = '') => call('GET', `${ALERTS}/deliveries${query}`),
  }
}

/** Stores values as a cycle at an instant does: points and the values in effect. */
export function valueStatements(
  values: Partial<Record<PairKey, number | readonly [buy: number, sell: number]>>,
  at: Instant,
  db: D1Database = env.DB,
): D1PreparedStatement[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const pair = findPairByKey(key)!.id
    const [buy, sell] = (typeof value === 'number' ? [value, value] : value).map(numberToPrice)
    return [
      db
        .prepare(`insert into points (pair, at, buy, sell, source) values (?1, ?2, ?3, ?4, 'test')`)
        .bind(pair, at, buy!, sell!),
      db
        .prepare(
          `insert into current_quotes (pair, buy, sell, source, updated_at, last_scraped_at)
           values (?1, ?3, ?4, 'test', ?2, ?2) on conflict (pair) do update set
             buy = ?3, sell = ?4, updated_at = ?2, last_scraped_at = ?2`,
        )
        .bind(pair, at, buy!, sell!),
    ]
  })
}

/** Records values and fires what they meet, in one batch. Returns the ids of the deliveries. */
export async function change(
  values: Parameters<typeof valueStatements>[0],
  at: Instant,
  { db = env.DB, capacity = 1000 }: { db?: D1Database; capacity?: number } = {},
): Promise<number[]> {
  const pairs = Object.keys(values).map((key) => findPairByKey(key)!)
  const written = valueStatements(values, at, db)
  const results = await db.batch<{ id: number }>([
    ...written,
    ...fireStatements(db, pairs, { at, capacity }),
  ])
  return results.slice(written.length).flatMap(({ results }) => results.map(({ id }) => id))
}
