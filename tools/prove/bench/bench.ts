import type { Task, Told } from '../harness/tasks.ts'

/** A group of measurements: a file in this folder, listed in bench.ts above it. */
export interface Bench extends Task<Figure[], Sizes> {
  /** How its figures are measured, for readers without the code. */
  method: string
}

interface Sizes {
  /** Finished deliveries in the larger table. */
  points?: number | undefined
}

export type BenchOptions = Sizes & Told

/** One measured number, and the budget that it has to keep where there is one. */
export interface Figure {
  name: string
  value: number
  unit?: string
  atMost?: number
  atLeast?: number
}

export function figure(
  name: string,
  value: number,
  unit?: string,
  budget: Pick<Figure, 'atMost' | 'atLeast'> = {},
): Figure {
  return { name, value, ...(unit !== undefined && { unit }), ...budget }
}

/** Whether a figure keeps its budget; true where there is none. */
export function isKept({ value, atMost, atLeast }: Figure): boolean {
  return value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity)
}

export { median } from 'simple-statistics'

export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
