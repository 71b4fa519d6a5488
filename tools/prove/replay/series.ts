import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Instant } from '../../../shared/argentine-time.ts'
import { findPair, type Pair, type PairKey, pairKey } from '../../../shared/market/catalog.ts'
import { numberToPrice, type Price, roundPrice } from '../../../shared/market/price.ts'

/** What a source said of a pair at an instant. */
export interface Observation {
  at: Instant
  buy: Price
  sell: Price
}

/** A recorded file: the observations of each pair, in the order in which they were made. */
export interface Series {
  /** The file's name without its ending. */
  name: string
  observations: Map<PairKey, Observation[]>
  /** Rows that could not be read, and rows of pairs that the service does not have. */
  skipped: number
}

const COLUMNS = ['observed_at', 'moneda', 'casa', 'compra', 'venta']

const ORIGIN_OF_CASA: Record<string, string> = { contadoconliqui: 'CCL' }

interface Row {
  at: Instant
  moneda: string
  casa: string
  compra: number | null
  venta: number | null
}

/**
 * Reads the CSV of hourly observations (`observed_at,moneda,casa,compra,venta,…`) or JSON lines
 * (`{"committed_at","body":[…]}`). Rows are ordered by the time of observation alone: the stamps
 * of the sources go backwards and into the future.
 */
export function readSeries(path: string): Series {
  const text = readFileSync(path, 'utf8')
  const rows = text.trimStart().startsWith('{') ? jsonRows(text) : csvRows(text)
  const observations: Series['observations'] = new Map()
  let skipped = 0
  for (const row of rows.toSorted((a, b) => a.at - b.at)) {
    const pair = findPair(row.moneda, ORIGIN_OF_CASA[row.casa] ?? row.casa)
    const observation = pair && observe(row, pair)
    if (!pair || !observation) {
      skipped += 1
      continue
    }
    const known = observations.get(pairKey(pair))
    if (known) known.push(observation)
    else observations.set(pairKey(pair), [observation])
  }

  return { name: basename(path).replace(/\.[^.]*$/, ''), observations, skipped }
}

/** One number alone stands for both sides; a row without any says nothing. */
function observe({ at, compra, venta }: Row, { decimals }: Pair): Observation | null {
  const buy = compra ?? venta
  const sell = venta ?? compra
  if (buy === null || sell === null || Number.isNaN(at)) return null

  const price = (value: number) => roundPrice(numberToPrice(value), decimals)
  return { at, buy: price(buy), sell: price(sell) }
}

function csvRows(text: string): Row[] {
  const rows = parse(text, { columns: true, relax_column_count: true }) as Record<string, string>[]
  const missing = COLUMNS.find((name) => rows.length > 0 && !(name in rows[0]!))
  if (missing) throw new Error(`the CSV has no column ${missing}`)

  return rows.map(({ observed_at = '', moneda = '', casa = '', compra, venta }) => ({
    at: Date.parse(observed_at),
    moneda,
    casa,
    compra: toNumber(compra),
    venta: toNumber(venta),
  }))
}

function jsonRows(text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => {
      const { committed_at, body } = JSON.parse(line) as {
        committed_at: string
        body: Record<string, unknown> | Record<string, unknown>[]
      }
      return [body].flat().map(({ moneda, casa, compra, venta }) => ({
        at: Date.parse(committed_at),
        moneda: typeof moneda === 'string' ? moneda : '',
        casa: typeof casa === 'string' ? casa : '',
        compra: toNumber(compra),
        venta: toNumber(venta),
      }))
    })
}

function toNumber(value: unknown): number | null {
  if (value === undefined || value === null || value === '') return null

  const number = Number(value)
  return Number.isFinite(number) ? number : null
}
