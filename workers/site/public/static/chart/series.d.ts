/** `[seconds since 1970, value]`. */
export type Point = [at: number, value: number]
export type Values = (number | null)[]

export interface Candle {
  at: number
  open: number
  high: number
  low: number
  close: number
}

interface Documents {
  closes: readonly (readonly (number | undefined)[])[]
  recent: readonly (readonly number[])[]
}

export const DAY: number
export const GAP: number
export function dayStart(at: number): number
export function pointsOf(documents: Documents): Point[]
export function recentPointsOf(documents: Documents): Point[]
export function instantsOf(
  series: readonly (readonly Point[])[],
  window: { from: number; to: number; daily: boolean },
): number[]
export function valuesAt(
  points: readonly Point[],
  instants: readonly number[],
  confirmed?: number,
): Values
export function isolated(values: Values): number[]
export function gapsOf(values: Values, base: Values): Values
export function candlesOf(documents: Documents, now: number): Candle[]
export function candlesIn(
  points: readonly Point[],
  from: number,
  to: number,
  bucketOf: (at: number) => number,
): Candle[]
export function joined(candles: readonly Candle[], bucketOf: (at: number) => number): Candle[]
export function weekOf(at: number): number
export function monthOf(at: number): number
export function lastOfEach(instants: readonly number[], bucketOf: (at: number) => number): number[]
