/** What managing alerts and firing them cost in rows, by D1's own count. */
import type { NewAlert } from '../../../workers/site/db/alerts/create.ts'
import { createAlert } from '../../../workers/site/db/alerts/create.ts'
import { editAlert } from '../../../workers/site/db/alerts/edit.ts'
import { fireStatements } from '../../../shared/db/alerts/fire.ts'
import { alertRows } from '../../../workers/site/db/alerts/row.ts'
import { findReceiver, listReceivers } from '../../../workers/site/db/receivers/read.ts'
import { testAlert } from '../../../workers/site/db/alerts/test-alert.ts'
import { createAccount } from '../../../shared/db/accounts/accounts.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { randomBytes as random } from '../../support/random.ts'
import { openScratchStorage } from '../../operate/admin/open-local.ts'
import type { Bench, BenchOptions, Figure } from './bench.ts'
import { blue, contextOf, NOW, quiet, setQuotes, value } from './management.ts'
import { costFigures, costOf, type Spent } from './measured.ts'

/** Accounts with as many alerts each as they may have, all on the pair that changes. */
const ACCOUNTS = 5
const EACH = 20
const ALERTS = ACCOUNTS * EACH

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
  await setQuotes(db, numberToPrice(1430))
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
  const { id, version } = (await listReceivers(db, alertRows, accountId, NOW))[0]!
  const cost = async (
    name: string,
    atMost: Partial<Spent>,
    work: (db: D1Database) => Promise<unknown>,
  ) => costFigures(name, await costOf(db, work), atMost)
  const edit = { version, threshold: 1600 }

  return [
    ...(await cost('list 20 alerts', { roundTrips: 1, rowsRead: 160 }, (db) =>
      listReceivers(db, alertRows, accountId, NOW),
    )),
    ...(await cost('read an alert', { roundTrips: 1, rowsRead: 8 }, (db) =>
      findReceiver(db, alertRows, { accountId, id }, NOW),
    )),
    ...(await cost('test an alert', { roundTrips: 2, rowsRead: 30, rowsWritten: 8 }, async (db) =>
      value(await testAlert(contextOf(db), accountId, id)),
    )),
    ...(await cost('edit an alert', { roundTrips: 2, rowsRead: 60, rowsWritten: 12 }, async (db) =>
      value(await editAlert(contextOf(db), accountId, id, edit)),
    )),
  ]
}

/** Cycles: one of another pair, one in which nobody's level is met, one in which all but one alert fire. */
async function figuresOfCycles(db: D1Database): Promise<Figure[]> {
  const cost = async (name: string, pair: Pair, sell: number, atMost: Partial<Spent>) => {
    const at = NOW + sell
    await setQuotes(db, numberToPrice(sell), at)
    const fire = (db: D1Database) => db.batch(fireStatements(db, [pair], { at, capacity: 20_000 }))
    return costFigures(name, await costOf(db, fire), atMost)
  }

  return [
    ...(await cost('a change of a pair without alerts', quiet, 1440, {
      roundTrips: 1,
      rowsRead: 11,
      rowsWritten: 0,
    })),
    ...(await cost(`a change that fires none of ${ALERTS}`, blue, 1450, {
      rowsRead: 8 * ALERTS + 11,
      rowsWritten: 0,
    })),
    ...(await cost(`a change that fires ${ALERTS - 1} of ${ALERTS}`, blue, 1500, {
      rowsRead: 25 * ALERTS + 11,
      rowsWritten: 10 * ALERTS + 2,
    })),
  ]
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
