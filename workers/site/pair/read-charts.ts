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
import { readDocument } from '../../../shared/board/board.ts'
import { priceToNumber } from '../../../shared/market/price.ts'

/** The closes of a pair; empty if KV has none or fails. D1 is not read, so page views are cheap. */
export async function readCloses(kv: KVNamespace, pair: Pair): Promise<Close[]> {
  return (await read<ClosesDocument>(kv, closesKey(pair)))?.closes ?? []
}

/** The points of the last day, by pair. */
export async function readRecent(kv: KVNamespace): Promise<RecentDocument['points']> {
  return (await read<RecentDocument>(kv, RECENT_KEY))?.points ?? {}
}

/** The last closes, by pair. */
export async function readMonth(kv: KVNamespace): Promise<MonthDocument['closes']> {
  return (await read<MonthDocument>(kv, MONTH_KEY))?.closes ?? {}
}

export interface Charts {
  closes: Close[]
  recent: RecentPoint[]
}

export async function readCharts(kv: KVNamespace, pair: Pair): Promise<Charts> {
  const [closes, points] = await Promise.all([readCloses(kv, pair), readRecent(kv)])
  return { closes, recent: points[pairKey(pair)] ?? [] }
}

function read<Document extends { schema: typeof CHART_SCHEMA }>(kv: KVNamespace, key: string) {
  return readDocument<Document>(kv, key, CHART_SCHEMA, 'chart_read_failed')
}

/**
 * The closed days with a change, oldest first: `fecha,compra,venta`. People save the file, so a
 * byte order mark shows Excel that this is UTF-8.
 */
export function closesCsv(closes: readonly Close[]): string {
  const lines = closes.map(([day, sell, buy]) =>
    [dayOfNumber(day), priceToNumber(buy), priceToNumber(sell)].join(','),
  )
  return ['\ufefffecha,compra,venta', ...lines, ''].join('\r\n')
}
