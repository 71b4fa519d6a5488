import { DAY_MS } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import {
  type Close,
  closesKey,
  parseCloses,
  parseRecent,
  RECENT_KEY,
  type RecentPoint,
} from '../../../shared/board/charts.ts'
import { logFailure } from '../../../shared/log.ts'

/** What the scraper drew of a pair. */
export interface Charts {
  closes: Close[]
  recent: RecentPoint[]
}

/** Seconds, the least that KV takes: an import must show soon, also where it was empty before. */
const CACHE_TTL = 30

/** Both documents, each empty when KV has none or fails. Never D1: visitors cost it nothing. */
export async function readCharts(kv: KVNamespace, pair: Pair): Promise<Charts> {
  const [closes, recent] = await Promise.all([read(kv, closesKey(pair)), read(kv, RECENT_KEY)])
  return {
    closes: parseCloses(closes)?.closes ?? [],
    recent: parseRecent(recent)?.points[pairKey(pair)] ?? [],
  }
}

/** The Argentine day of a close, `YYYY-MM-DD`. */
export function dayOf([day]: Close): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

async function read(kv: KVNamespace, key: string): Promise<string | null> {
  try {
    return await kv.get(key, { cacheTtl: CACHE_TTL })
  } catch (error) {
    logFailure('chart_read_failed', error)
    return null
  }
}
