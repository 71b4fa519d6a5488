/**
 * SQL that inserts valid rows, for tests and tools that fill a database without the service's code.
 * A change of the schema needs one edit here.
 */

/** The SQL of each column. */
type Columns = Readonly<Record<string, string | number | null>>

/** One valid row per table: an active webhook of the blue dollar, its pending delivery, … */
const VALID = {
  subscriptions: {
    id: `'a-webhook'`,
    account_id: `'account'`,
    operation_id: 'hex(randomblob(16))',
    kind: `'webhook'`,
    pair: 3,
    destination: `'https://x.example.com/***'`,
    url_sealed: `'sealed'`,
    authorization_sealed: null,
    secret_sealed: `'sealed'`,
    state: `'active'`,
    source: `'v2'`,
    version: 1,
    revision: 1,
    consecutive_failures: 0,
    sync: null,
    created_at: 0,
  },
  alerts: {
    id: `'an-alert'`,
    side: `'sell'`,
    condition: `'above'`,
    threshold: 1,
    hysteresis: 0,
    repeats: 0,
    phase: `'armed'`,
  },
  deliveries: {
    delivery_id: 'hex(randomblob(16))',
    subscription_id: `'a-webhook'`,
    revision: 1,
    pair: 3,
    destination: `'https://x.example.com/***'`,
    type: `'automatic'`,
    status: `'pending'`,
    attempts: 0,
    redelivered: 0,
    releases: 0,
    code: null,
    body: `'{}'`,
    created_at: 0,
    next_attempt_at: 0,
    last_attempt_at: null,
    resolved_at: null,
    lease_token: null,
    lease_until: null,
    look_at: null,
  },
  current_quotes: {
    pair: 3,
    buy: 14_100_000,
    sell: 14_300_000,
    source: `'test'`,
    updated_at: 0,
    reference_sell: null,
  },
  daily_candles: {
    pair: 3,
    day: `'2026-03-02'`,
    open: 1,
    high: 1,
    low: 1,
    close: 1,
    buy: 1,
    buy_open: 1,
    buy_high: 1,
    buy_low: 1,
  },
  points: { pair: 3, at: 0, buy: 1, sell: 1, source: `'test'` },
  scraper_state: { id: 1, guard: `'{}'`, sources: `'{}'`, cycle: `'{}'`, confirmed_at: `'{}'` },
} as const satisfies Record<string, Columns>

type Table = keyof typeof VALID

/** SQL that inserts a valid row with these `columns`, or one for each row of `rest` (`from …`). */
export function insertRows(table: Table, columns: Columns, rest = ''): string {
  const row: Columns = { ...VALID[table], ...columns }
  const values = Object.values(row).map((sql) => sql ?? 'null')
  return `insert into ${table} (${Object.keys(row).join(', ')}) select ${values.join(', ')} ${rest}`
}

/** SQL that inserts a copy of each row of `rest` (`from …`), changed in `columns`. */
export function copyRows(table: Table, columns: Columns, rest: string): string {
  const same = Object.fromEntries(Object.keys(VALID[table]).map((name) => [name, name]))
  return insertRows(table, { ...same, ...columns }, rest)
}

/** A `from` clause with `count` rows, which `n.i` numbers from 1. */
export function fromNumbers(count: number | string): string {
  return `from (with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    select i from n) n`
}

/** Sets the counter of open deliveries. */
export function setOpen(count: number): string {
  return `update open_deliveries set outstanding = ${count}`
}
