import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import type { Instant } from '../../shared/argentine-time.ts'
import { findPair, type PairKey, pairKey } from '../../shared/market/catalog.ts'
import { numberToPrice } from '../../shared/market/price.ts'
import type { Publication } from '../../tools/prove/replay/simulate.ts'

/** A row of `incidents.csv`: a value that a source showed for a while. */
export interface Incident {
  /** Beginning of the recorded file's name. */
  source: string
  pair: PairKey
  at: Instant
  until: Instant
  side: 'compra' | 'venta'
  value: number
}

/** A published side this near to the faulty one counts as the fault. */
const NEAR = 0.02

/**
 * The rows that are faults: spikes that revert. The end of one spike is listed as another when the
 * fault comes again (tarjeta, 20 Dec 2024); it is the right value, and left out.
 */
export function readIncidents(path: string): Incident[] {
  const rows = parse(readFileSync(path, 'utf8'), { columns: true }) as Record<string, string>[]
  const spikes = rows.flatMap((row): Incident[] => {
    const { source = '', moneda = '', casa = '', side, value_or_sell: value } = row
    const pair = findPair(moneda, casa === 'contadoconliqui' ? 'ccl' : casa)
    if (!pair || row['kind'] !== 'spike-reverts') return []

    return [
      {
        source,
        pair: pairKey(pair),
        at: Date.parse(row['observed_at']!),
        until: Date.parse(row['reverted_at']!) || Infinity,
        side: side === 'compra' ? 'compra' : 'venta',
        value: numberToPrice(Number(value)),
      },
    ]
  })

  return spikes.filter(
    (one) => !spikes.some((other) => isSameSide(one, other) && other.until === one.at),
  )
}

/** The incidents whose value was published from their source while it lasted. */
export function publishedIncidents(
  incidents: readonly Incident[],
  pair: PairKey,
  publications: readonly Publication[],
): Incident[] {
  return incidents.filter(
    (incident) =>
      incident.pair === pair &&
      publications.some(
        ({ at, buy, sell, source }) =>
          source.startsWith(incident.source) &&
          at >= incident.at &&
          at < incident.until &&
          Math.abs((incident.side === 'compra' ? buy : sell) / incident.value - 1) < NEAR,
      ),
  )
}

function isSameSide(one: Incident, other: Incident): boolean {
  return one.source === other.source && one.pair === other.pair && one.side === other.side
}
