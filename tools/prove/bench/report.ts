/** The report of `npm run bench` and its table. */
import { table } from '../../support/table.ts'

/** A group of measurements. */
export interface Bench {
  name: string
  /** What is measured, and how. */
  method: string
  /** `progress` writes a line about the work to standard error. */
  run(progress: (line: string) => void): Promise<Figure[]>
}

/** One measured number, and its budget if it has one. */
export interface Figure {
  name: string
  value: number
  unit?: string
  atMost?: number
  atLeast?: number
}

export interface Result {
  name: string
  method: string
  figures: Figure[]
  /** Why the bench could not be measured. */
  failure: string | null
}

export interface Report {
  /** The time and the machine. */
  machine: string
  results: Result[]
}

export { median } from 'simple-statistics'

export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}

/** Whether everything was measured and is within its budget. */
export function isGood({ results }: Report): boolean {
  return results.every(({ failure, figures }) => failure === null && figures.every(isKept))
}

export function printReport({ machine, results }: Report): string {
  const rows = results.flatMap(({ name, figures, failure }) => [
    ...figures.map((figure) => [name, figure.name, budgetOf(figure), valueOf(figure)]),
    ...(failure === null ? [] : [[name, `not measured: ${failure}`, '**broken**', '']]),
  ])
  const methods = results.map(({ name, method }) => `- ${name}: ${method}`)
  return [
    table([['bench', 'figure', 'target', 'measured'], ...rows]),
    '',
    ...methods,
    '',
    machine,
  ].join('\n')
}

function isKept({ value, atMost = Infinity, atLeast = -Infinity }: Figure): boolean {
  return value <= atMost && value >= atLeast
}

function valueOf({ value, unit = '' }: Figure): string {
  return `${value} ${unit}`.trim()
}

function budgetOf(figure: Figure): string {
  const { atMost, atLeast } = figure
  const budget = atMost === undefined ? atLeast && `≥ ${atLeast}` : `≤ ${atMost}`
  return budget === undefined ? '' : `${budget}${isKept(figure) ? '' : ', **broken**'}`
}
