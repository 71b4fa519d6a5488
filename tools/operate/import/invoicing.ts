import { Big } from 'big.js'
import { type Day, type Instant, argentineDay, isDay } from '../../../shared/argentine-time.ts'
import { namedBatch } from '../../../shared/db/named-batch.ts'
import {
  type InvoicingTable,
  FROM_FILE,
  invoicingStatements,
} from '../../../shared/db/quotes/invoicing.ts'
import { findInvoicingCurrency } from '../../../shared/market/invoicing.ts'
import { chunksOf } from '../../support/chunks.ts'
import { type LeftOut, leaveOut } from './read-file.ts'
import type { FileRecord } from './records.ts'

/** Days per batch: about 60 kB of SQL. */
const DAYS_AT_ONCE = 30

/** The maximum ratio of sell to buy, as for the bank's page. A row with a larger ratio is wrong. */
const WIDEST = 1.2

type Rate = InvoicingTable['rates'][number]

/** Whether a file has invoicing rates, by its first row: `date,currency,buy,sell[,units]`. */
export function isInvoicingFile(first: FileRecord): boolean {
  return (
    ['date', 'currency', 'buy', 'sell'].every((field) => field in first) && !('origin' in first)
  )
}

/**
 * Imports rates of the bank's wholesale table. Prices are for `units` of the currency, by default
 * 1. A rate that differs replaces the stored rate, which is copied to `invoicing_corrections`.
 */
export async function importInvoicing(
  db: D1Database,
  rows: readonly FileRecord[],
  { now, dryRun }: { now: Instant; dryRun: boolean },
) {
  const leftOut: LeftOut = new Map()
  const rates = new Map<string, Rate & { day: Day }>()
  for (const row of rows) {
    const rate = readRow(row, argentineDay(now))
    const key = typeof rate === 'string' ? '' : `${rate.day} ${rate.currency}`
    if (typeof rate === 'string') leaveOut(leftOut, rate, row)
    else if (rates.has(key)) leaveOut(leftOut, 'a second time', row)
    else rates.set(key, rate)
  }

  const byDay = Map.groupBy(rates.values(), ({ day }) => day)
  const tables = Array.from(byDay, ([day, rates]) => {
    return { day, publishedAt: null, source: FROM_FILE, rates }
  })
  for (const some of chunksOf(dryRun ? [] : tables, DAYS_AT_ONCE))
    await namedBatch(db, {
      replaced: some.map((table) => noteReplaced(db, table, now)),
      stored: some.flatMap((table) => invoicingStatements(db, table, now)),
    })
  return { rates: rates.size, days: tables.length, leftOut }
}

/** Copies the rates that a table will replace to `invoicing_corrections`. */
function noteReplaced(
  db: D1Database,
  { day, rates }: InvoicingTable,
  now: Instant,
): D1PreparedStatement {
  return db
    .prepare(
      `insert into invoicing_corrections
         (made_at, currency, day, units, buy, sell, source, published_at)
       select ?3, r.currency, r.day, r.units, r.buy, r.sell, r.source, r.published_at
       from json_each(?2) v join invoicing_rates r on r.currency = v.value ->> 'currency' and r.day = ?1
       where (r.units, r.buy, r.sell) <> (v.value ->> 'units', v.value ->> 'buy', v.value ->> 'sell')
         and not exists (select 1 from invoicing_tables where day = ?1 and published_at > ?3)`,
    )
    .bind(day, JSON.stringify(rates), now)
}

interface ReplacedRate extends Rate {
  madeAt: Instant
  day: Day
  source: string
}

/** The replaced rates, newest first. */
export async function replacedRates(db: D1Database): Promise<ReplacedRate[]> {
  const { results } = await db
    .prepare(
      `select made_at as madeAt, currency, day, units, buy, sell, source
       from invoicing_corrections order by id desc`,
    )
    .all<ReplacedRate>()
  return results
}

/** The rate of a row, or why the row is left out. */
function readRow(row: FileRecord, today: Day): (Rate & { day: Day }) | string {
  const day = String(row['date'])
  const currency = findInvoicingCurrency(String(row['currency']))
  const [buy, sell] = [decimalOf(row['buy']), decimalOf(row['sell'])]
  const units = Number(row['units'] ?? 1)

  if (!isDay(day)) return 'not a date'
  if (day > today) return 'a day to come'
  if (!currency) return 'not a currency of the table'
  if (buy === null || sell === null) return 'not a price'
  if (![1, 100].includes(units)) return 'units are neither 1 nor 100'
  const [low, high] = [Number(buy), Number(sell)]
  if (low <= 0 || high < low || high > low * WIDEST) return 'not a buy and its sell'
  return { day, currency: currency.code, units, buy, sell }
}

/** A decimal without trailing zeros, as the tables store it. Null when the value is no decimal. */
function decimalOf(value: unknown): string | null {
  const text = String(value)
  return /^\d{1,9}(?:\.\d{1,6})?$/.test(text) ? new Big(text).toFixed() : null
}
