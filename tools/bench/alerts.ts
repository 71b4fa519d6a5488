/** What managing alerts and firing them cost in rows, by D1's own count. */
import type { NewAlert } from '../../shared/db/alerts/create.ts'
import { createAlert } from '../../shared/db/alerts/create.ts'
import { editAlert } from '../../shared/db/alerts/edit.ts'
import { fireStatements } from '../../shared/db/alerts/fire.ts'
import { findAlert, listAlerts } from '../../shared/db/alerts/read.ts'
import { testAlert } from '../../shared/db/alerts/test-alert.ts'
import { createAccount } from '../../shared/db/accounts/accounts.ts'
import { openWebhookContext, type WebhookContext } from '../../shared/db/webhooks/context.ts'
import { findPairByKey } from '../../shared/market/catalog.ts'
import { numberToPrice } from '../../shared/market/price.ts'
import type { Result } from '../../shared/result.ts'
import { randomBytes as random } from '../harness/random.ts'
import { openScratchStorage } from '../admin/open-local.ts'
import type { Bench, BenchOptions, Figure } from './bench.ts'
import { costFigures, measured } from './measured.ts'

const NOW = Date.UTC(2026, 2, 5, 15)
/** Accounts with as many alerts each as they may have, all on the pair that changes. */
const ACCOUNTS = 5
const EACH = 20
const ALERTS = ACCOUNTS * EACH
const blue = findPairByKey('usd/blue')!
const quiet = findPairByKey('eur/bna')!

export const alerts: Bench = {
  name: 'alerts',
  summary: 'rows and round trips of alert management (without the gate) and of a cycle that fires',
  method:
    `the functions behind each route, and the statements of one change, on D1 with ${ALERTS} alerts on ` +
    "the pair; rows are D1's own count of one call",
  run: benchAlerts,
}

async function benchAlerts({ progress }: BenchOptions): Promise<Figure[]> {
  await using storage = await openScratchStorage()
  progress(`making ${ALERTS} alerts`)
  const accountId = await fill(storage.db)

  return [
    ...(await figuresOfManagement(storage.db, accountId)),
    ...(await figuresOfCycles(storage.db)),
  ]
}

/** Quotes and accounts with alerts. Returns the id of one account. */
async function fill(db: D1Database): Promise<string> {
  await setQuote(db, 1430, NOW)
  let accountId = ''
  for (let account = 0; account < ACCOUNTS; account += 1) {
    const order = { email: `owner-${account}@bench.test`, now: NOW, random }
    accountId = value(await createAccount(db, order)).id
    for (let alert = 0; alert < EACH; alert += 1)
      value(await createAlert(contextOf(db), accountId, wanted()))
  }
  return accountId
}

async function figuresOfManagement(db: D1Database, accountId: string): Promise<Figure[]> {
  const { db: counted, spent, forget } = measured(db)
  const context = contextOf(counted)
  const { id, version } = (await listAlerts(db, accountId, NOW))[0]!
  const cost = async (name: string, work: () => Promise<unknown>, atMost = {}) => {
    forget()
    await work()
    return costFigures(name, spent(), atMost)
  }

  return [
    ...(await cost('list 20 alerts', () => listAlerts(counted, accountId, NOW), {
      roundTrips: 1,
      rowsRead: 160,
    })),
    ...(await cost('read an alert', () => findAlert(counted, accountId, id, NOW), {
      roundTrips: 1,
      rowsRead: 8,
    })),
    ...(await cost('test an alert', async () => value(await testAlert(context, accountId, id)), {
      roundTrips: 2,
      rowsRead: 30,
      rowsWritten: 8,
    })),
    ...(await cost(
      'edit an alert',
      async () => value(await editAlert(context, accountId, id, { version, threshold: 1600 })),
      { roundTrips: 2, rowsRead: 60, rowsWritten: 12 },
    )),
  ]
}

/** Two cycles: in one nobody's level is met, in the next all but one alert fire. */
async function figuresOfCycles(db: D1Database): Promise<Figure[]> {
  const { db: counted, spent, forget } = measured(db)
  const cost = async (
    name: string,
    sell: number,
    at: number,
    pair: typeof blue,
    atMost: object,
  ) => {
    await setQuote(db, sell, at)
    forget()
    await counted.batch(fireStatements(counted, [pair], { at, capacity: 20_000 }))
    return costFigures(name, spent(), atMost)
  }

  return [
    ...(await cost('a change of a pair without alerts', 1440, NOW + 1, quiet, {
      roundTrips: 1,
      rowsRead: 11,
      rowsWritten: 0,
    })),
    ...(await cost(`a change that fires none of ${ALERTS}`, 1450, NOW + 2, blue, {
      rowsRead: 8 * ALERTS + 11,
      rowsWritten: 0,
    })),
    ...(await cost(`a change that fires ${ALERTS - 1} of ${ALERTS}`, 1500, NOW + 3, blue, {
      rowsRead: 25 * ALERTS + 11,
      rowsWritten: 10 * ALERTS + 2,
    })),
  ]
}

async function setQuote(db: D1Database, sell: number, at: number): Promise<void> {
  const write = (pair: number) =>
    db
      .prepare(
        `insert into current_quotes (pair, buy, sell, source, updated_at, last_scraped_at)
         values (?1, 14100000, ?2, 'bench', ?3, ?3)
         on conflict (pair) do update set sell = ?2, updated_at = ?3`,
      )
      .bind(pair, numberToPrice(sell), at)
  await db.batch([write(blue.id), write(quiet.id)])
}

function wanted(): NewAlert {
  return {
    operationId: crypto.randomUUID(),
    currency: 'USD',
    origin: 'BLUE',
    side: 'sell',
    condition: 'above',
    threshold: 1500,
    hysteresis: 0,
    against: null,
    repeat: true,
    channel: 'webhook',
    url: 'https://receptor.example/',
    enabled: true,
  }
}

function contextOf(db: D1Database): WebhookContext {
  const env = {
    DB: db,
    KEY_ENCRYPTION_KEYS: `bench:${Buffer.alloc(32, 7).toString('base64')}`,
    PUBLIC_HOSTS: '',
    WEBHOOK_ADMISSION: 'open',
    DELIVERY_CAPACITY: '20000',
  }
  return openWebhookContext(env, { now: NOW, random, requestUrl: 'https://bench.test/' })
}

function value<Value>(result: Result<Value, unknown>): Value {
  if (!result.ok) throw new Error(JSON.stringify(result.refusal))
  return result.value
}
