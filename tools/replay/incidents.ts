import { readFileSync } from 'node:fs'
import type { Instant } from '../../shared/argentine-time.ts'
import { findPair, type PairKey, pairKey } from '../../shared/market/catalog.ts'
import { numberToPrice } from '../../shared/market/price.ts'
import type { Publication } from './simulation.ts'

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

/** How near a published side must be to the faulty one to be it. */
const NEAR = 0.02

/**
 * The rows that are faults: spikes that revert. The end of one spike is listed as another when the
 * fault comes again (tarjeta, 20 Dec 2024); it is the right value, and left out.
 */
export function readIncidents(path: string): Incident[] {
  const [head = '', ...lines] = readFileSync(path, 'utf8').trim().split(/\r?\n/)
  const columns = head.split(',')
  const spikes = lines.flatMap((line): Incident[] => {
    const cells = line.split(',')
    const cell = (name: string) => cells[columns.indexOf(name)] ?? ''
    const casa = cell('casa') === 'contadoconliqui' ? 'ccl' : cell('casa')
    const pair = findPair(cell('moneda'), casa)
    if (!pair || cell('kind') !== 'spike-reverts') return []

    return [
      {
        source: cell('source'),
        pair: pairKey(pair),
        at: Date.parse(cell('observed_at')),
        until: Date.parse(cell('reverted_at')) || Infinity,
        side: cell('side') === 'compra' ? 'compra' : 'venta',
        value: numberToPrice(Number(cell('value_or_sell'))),
      },
    ]
  })

  return spikes.filter(
    (one) => !spikes.some((other) => isSameSide(one, other) && other.until === one.at),
  )
}

/** The incidents whose value was published from their source while it stood. */
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
