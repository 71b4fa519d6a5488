import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Instant } from '../../../shared/argentine-time.ts'
import { findPair, type PairKey, pairKey } from '../../../shared/market/catalog.ts'
import { numberToPrice, type Price, roundPrice } from '../../../shared/market/price.ts'
import { firstIndex } from '../../support/first-index.ts'

export interface Sides {
  buy: Price
  sell: Price
}

/** What a source said of a pair at an instant. */
export interface Observation extends Sides {
  at: Instant
}

/** A recorded file: the observations of each pair, in the order in which they were made. */
export interface Series {
  /** The file's name without its ending. */
  name: string
  observations: Map<PairKey, Observation[]>
}

interface Row {
  observed_at: string
  moneda: string
  casa: string
  compra?: number | string | null
  venta?: number | string | null
}

/**
 * Reads the CSV of hourly observations (`observed_at,moneda,casa,compra,venta,…`) or JSON lines
 * (`{"committed_at","body":[…]}`), of the span alone. Rows are ordered by the time of observation:
 * the stamps of the sources go backwards and into the future.
 */
export function readSeries(path: string, from = -Infinity, until = Infinity): Series {
  const text = readFileSync(path, 'utf8')
  const rows = text.trimStart().startsWith('{') ? jsonRows(text) : csvRows(text)
  const observations: Series['observations'] = new Map()
  for (const { observed_at, moneda, casa, compra, venta } of rows) {
    const at = Date.parse(observed_at)
    const pair = findPair(moneda, casa === 'contadoconliqui' ? 'CCL' : casa)
    // One number alone stands for both sides; a row without any says nothing.
    const [buy, sell] = [toNumber(compra) ?? toNumber(venta), toNumber(venta) ?? toNumber(compra)]
    if (!pair || buy === null || sell === null || !(at >= from && at < until)) continue

    const price = (value: number) => roundPrice(numberToPrice(value), pair.decimals)
    const known = observations.get(pairKey(pair)) ?? []
    known.push({ at, buy: price(buy), sell: price(sell) })
    observations.set(pairKey(pair), known)
  }
  for (const all of observations.values()) all.sort((a, b) => a.at - b.at)
  return { name: basename(path).replace(/\.[^.]*$/, ''), observations }
}

function csvRows(text: string): Row[] {
  const rows = parse(text, { columns: true, relax_column_count: true }) as Row[]
  const columns = ['observed_at', 'moneda', 'casa', 'compra', 'venta']
  const missing = columns.find((name) => rows.length > 0 && !(name in rows[0]!))
  if (missing) throw new Error(`the CSV has no column ${missing}`)

  return rows
}

function jsonRows(text: string): Row[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.flatMap((line) => {
    const { committed_at, body } = JSON.parse(line) as { committed_at: string; body: Row | Row[] }
    return [body].flat().map((row) => ({ ...row, observed_at: committed_at }))
  })
}

function toNumber(value: unknown): number | null {
  const number = value === null || value === '' ? NaN : Number(value)
  return Number.isFinite(number) ? number : null
}

/** How many were made until an instant, itself included. */
export function countUntil(observations: readonly { at: Instant }[], now: Instant): number {
  return firstIndex(observations.length, (index) => observations[index]!.at > now)
}

/** What a source says at an instant. */
export function readingAt<One extends Observation>(
  observations: readonly One[],
  now: Instant,
): One | undefined {
  return observations[countUntil(observations, now) - 1]
}

/** The larger step of the two sides, as a logarithm. */
export function stepBetween(from: Sides, to: Sides): number {
  return Math.max(sideStep(from.buy, to.buy), sideStep(from.sell, to.sell))
}

/** A zero is as far as a step can be. */
export function sideStep(from: number, to: number): number {
  return from > 0 && to > 0 ? Math.abs(Math.log(to / from)) : 99
}

export function isSame(one: Sides, other: Sides): boolean {
  return one.buy === other.buy && one.sell === other.sell
}
