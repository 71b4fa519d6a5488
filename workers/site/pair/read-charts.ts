import { dayOfNumber } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import {
  type Close,
  type ClosesDocument,
  type MonthDocument,
  type RecentDocument,
  type RecentPoint,
  CHART_SCHEMA,
  closesKey,
  MONTH_KEY,
  RECENT_KEY,
} from '../../../shared/board/charts.ts'
import { parseDocument, KV_CACHE_TTL } from '../../../shared/board/kv-document.ts'
import { logFailure } from '../../../shared/log.ts'
import { priceToNumber } from '../../../shared/market/price.ts'

/** The chart documents of a pair. */
export interface Charts {
  closes: Close[]
  recent: RecentPoint[]
}

/**
 * Both documents, each empty when KV has none or fails. D1 is not read: page views cost nothing.
 */
export async function readCharts(kv: KVNamespace, pair: Pair): Promise<Charts> {
  const [closes, recent] = await Promise.all([readCloses(kv, pair), read(kv, RECENT_KEY)])
  return { closes, recent: parseRecent(recent)?.points[pairKey(pair)] ?? [] }
}

/** Only the closes, for files and for tables of past days. */
export async function readCloses(kv: KVNamespace, pair: Pair): Promise<Close[]> {
  return parseCloses(await read(kv, closesKey(pair)))?.closes ?? []
}

/** The data of every pair in a list: last closes, and the points of the last day. */
export interface ListCharts {
  closes: MonthDocument['closes']
  points: RecentDocument['points']
}

/** Both documents of all pairs, each empty when KV has none or fails. */
export async function readListCharts(kv: KVNamespace): Promise<ListCharts> {
  const [month, recent] = await Promise.all([read(kv, MONTH_KEY), read(kv, RECENT_KEY)])
  return { closes: parseMonth(month)?.closes ?? {}, points: parseRecent(recent)?.points ?? {} }
}

async function read(kv: KVNamespace, key: string): Promise<string | null> {
  try {
    return await kv.get(key, { cacheTtl: KV_CACHE_TTL })
  } catch (error) {
    logFailure('chart_read_failed', error)
    return null
  }
}

/**
 * The closed days with a change, oldest first: `fecha,compra,venta`. It begins with the byte order
 * mark by which Excel knows UTF-8, because people save the file.
 */
export function closesCsv(closes: readonly Close[]): string {
  const lines = closes.map(([day, sell, buy]) =>
    [dayOfNumber(day), priceToNumber(buy), priceToNumber(sell)].join(','),
  )
  return ['\ufefffecha,compra,venta', ...lines, ''].join('\r\n')
}

export function parseRecent(text: string | null): RecentDocument | null {
  return parseDocument<RecentDocument>(
    text,
    CHART_SCHEMA,
    ({ points }) => typeof points === 'object' && points !== null,
  )
}

export function parseCloses(text: string | null): ClosesDocument | null {
  return parseDocument<ClosesDocument>(text, CHART_SCHEMA, ({ closes }) => Array.isArray(closes))
}

export function parseMonth(text: string | null): MonthDocument | null {
  return parseDocument<MonthDocument>(
    text,
    CHART_SCHEMA,
    ({ closes }) => typeof closes === 'object' && closes !== null,
  )
}
